import type { Flag } from '../../../models/flags/flag.ts'
import type { FlagConfig } from '../../../models/flags/flag-config.ts'
import type { Fault } from '../../../rules/json-guard.ts'
import { fallthroughId } from '../../../rules/migration-safety/cohorts.ts'
import { targetingFaults } from '../../../rules/targeting/targeting-faults.ts'
import { migrationFaults } from './migration-faults.ts'

/** Returns the validation errors of a whole configuration, regardless of how it was changed; empty when it is valid. */
export function configFaults(flag: Flag, config: FlagConfig): Fault[] {
  return [
    ...targetingFaults(config, flag.variations.length),
    ...ruleNameFaults(config),
    ...prerequisiteFaults(flag, config),
    ...migrationFaults(flag, config),
  ]
}

function ruleNameFaults({ rules }: FlagConfig): Fault[] {
  const taken = rules.some((rule) => rule._id === fallthroughId)
  const reason = `must not use the _id ${fallthroughId}, which stands for the default rule`
  return taken ? [{ attribute: 'rules', reason }] : []
}

function prerequisiteFaults(flag: Flag, { prerequisites }: FlagConfig): Fault[] {
  const keys = prerequisites.map(({ key }) => key)
  const faults: Fault[] = []
  if (new Set(keys).size < keys.length) faults.push({ attribute: 'prerequisites', reason: 'must not repeat a flag' })
  if (keys.includes(flag.key)) faults.push({ attribute: 'prerequisites', reason: 'must not be the flag itself' })
  return faults
}
