import type { Context } from '../../operation/context.ts'
import { masked } from '../../operation/masked.ts'
import { parse } from '../../operation/schema.ts'
import type { Reader } from '../../storage/reader.ts'
import type { Destination } from './destination.ts'
import { type DestinationKind, destinationKinds } from './destination-kinds.ts'

/** The configuration of a request, and the secrets that are stored. */
export interface ConfigInput {
  readonly input: Readonly<Record<string, unknown>>
  /** Secrets that are stored. A secret that is sent as `masked` stays unchanged. */
  readonly storedSecrets?: Destination['credentials']
}

/**
 * Validates a configuration for its kind, and splits it into the visible and the secret properties.
 *
 * @throws ApiError `invalid_request` naming each invalid property of `config`.
 */
export function splitConfig(
  { fail }: Context<Reader, 'invalid_request'>,
  kind: DestinationKind,
  { input, storedSecrets = {} }: ConfigInput,
): Pick<Destination, 'config' | 'credentials'> {
  const { config: schema, secrets } = destinationKinds[kind]
  const isUnchanged = (property: string) => input[property] === masked && Object.hasOwn(storedSecrets, property)
  const unmasked = { ...input }
  for (const property of secrets) if (isUnchanged(property)) unmasked[property] = storedSecrets[property]
  const parsed = parse(schema, unmasked)
  const parseErrors = parsed.ok ? [] : parsed.errors
  const errors = parseErrors.map(({ attribute, reason }) => ({ attribute: `config.${attribute}`, reason }))
  for (const property of secrets) {
    if (unmasked[property] === masked)
      errors.push({ attribute: `config.${property}`, reason: 'must be the secret, not its mask' })
  }
  if (errors.length > 0 || !parsed.ok) return fail('invalid_request', { errors })
  const properties = Object.entries(parsed.value as Readonly<Record<string, string>>)
  return {
    config: Object.fromEntries(
      properties.map(([property, value]) => [property, secrets.includes(property) ? masked : value]),
    ),
    credentials: Object.fromEntries(properties.filter(([property]) => secrets.includes(property))),
  }
}
