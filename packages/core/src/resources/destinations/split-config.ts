import type { Context } from '../../operation/context.ts'
import { masked } from '../../operation/masked.ts'
import { parse } from '../../operation/schema.ts'
import type { Reader } from '../../storage/reader.ts'
import type { Destination } from './destination.ts'
import { type DestinationKind, destinationKinds } from './destination-kinds.ts'

/**
 * Parts a configuration into what is shown and what is not, once it is what its kind asks for.
 *
 * @param kept secrets that are stored already: where `masked` stands for one, it stays.
 * @throws ApiError `invalid_request` naming each member of `config` that is wrong.
 */
export function splitConfig(
  { fail }: Context<Reader, 'invalid_request'>,
  kind: DestinationKind,
  given: Readonly<Record<string, unknown>>,
  kept: Destination['credentials'] = {},
): Pick<Destination, 'config' | 'credentials'> {
  const { config: schema, secrets } = destinationKinds[kind]
  const stays = (member: string) => given[member] === masked && Object.hasOwn(kept, member)
  const whole = { ...given }
  for (const member of secrets) if (stays(member)) whole[member] = kept[member]
  const checked = parse(schema, whole)
  const faults = checked.ok ? [] : checked.faults
  const errors = faults.map(({ attribute, reason }) => ({ attribute: `config.${attribute}`, reason }))
  for (const member of secrets) {
    if (whole[member] === masked) errors.push({ attribute: `config.${member}`, reason: 'must be the secret itself' })
  }
  if (errors.length > 0 || !checked.ok) return fail('invalid_request', { errors })
  const present = Object.entries(checked.value as Readonly<Record<string, string>>)
  return {
    config: Object.fromEntries(present.map(([member, value]) => [member, secrets.includes(member) ? masked : value])),
    credentials: Object.fromEntries(present.filter(([member]) => secrets.includes(member))),
  }
}
