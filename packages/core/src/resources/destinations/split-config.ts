import type { Context } from '../../operation/context.ts'
import { masked } from '../../operation/masked.ts'
import { parse } from '../../operation/schema.ts'
import type { Reader } from '../../storage/reader.ts'
import type { Destination } from './destination.ts'
import { type DestinationKind, destinationKinds } from './destination-kinds.ts'

/**
 * Validates a configuration for its kind, and splits it into the visible and the secret properties.
 *
 * @param storedSecrets secrets that are stored. A secret that is sent as `masked` stays unchanged.
 * @throws ApiError `invalid_request` naming each invalid property of `config`.
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
    if (whole[member] === masked) errors.push({ attribute: `config.${member}`, reason: 'must be the secret, not its mask' })
  }
  if (errors.length > 0 || !checked.ok) return fail('invalid_request', { errors })
  const present = Object.entries(checked.value as Readonly<Record<string, string>>)
  return {
    config: Object.fromEntries(present.map(([member, value]) => [member, secrets.includes(member) ? masked : value])),
    credentials: Object.fromEntries(present.filter(([member]) => secrets.includes(member))),
  }
}
