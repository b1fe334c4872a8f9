import type { Flag } from '../../../models/flags/flag.ts'
import type { FlagConfig } from '../../../models/flags/flag-config.ts'
import type { ValidationError } from '../../../rules/json-guard.ts'
import { fallthroughId } from '../../../rules/migration-safety/cohorts.ts'
import { validateTargeting } from '../../../rules/targeting/validate-targeting.ts'
import { validateMigrationConfig } from './validate-migration-config.ts'

/** Returns the validation errors of a whole configuration, regardless of how it was changed; empty when it is valid. */
export function validateConfig(flag: Flag, config: FlagConfig): ValidationError[] {
  return [
    ...validateTargeting(config, flag.variations.length),
    ...validateRuleIds(config),
    ...validatePrerequisites(flag, config),
    ...validateMigrationConfig(flag, config),
  ]
}

function validateRuleIds({ rules }: FlagConfig): ValidationError[] {
  const usesReservedId = rules.some((rule) => rule._id === fallthroughId)
  const reason = `must not use the _id ${fallthroughId}, which identifies the default rule`
  return usesReservedId ? [{ attribute: 'rules', reason }] : []
}

function validatePrerequisites(flag: Flag, { prerequisites }: FlagConfig): ValidationError[] {
  const keys = prerequisites.map(({ key }) => key)
  const errors: ValidationError[] = []
  if (new Set(keys).size < keys.length) errors.push({ attribute: 'prerequisites', reason: 'must not repeat a flag' })
  if (keys.includes(flag.key)) errors.push({ attribute: 'prerequisites', reason: 'must not be the flag itself' })
  return errors
}
