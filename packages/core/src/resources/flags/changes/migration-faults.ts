import type { Flag } from '../../../models/flags/flag.ts'
import type { FlagConfig, FlagRule } from '../../../models/flags/flag-config.ts'
import type { Fault } from '../../../rules/json-guard.ts'
import type { Serve } from '../../../rules/targeting/serve.ts'

/**
 * Returns the errors of a configuration that a migration flag must not have. Contexts move from stage to stage by
 * rollouts, never individually, and the off variation is the stage off. A flag with six stages, which must not be
 * skipped, may depend on one kind of context only. Returns no errors for other flags, except for migration settings.
 */
export function migrationFaults({ migrationSettings }: Flag, config: FlagConfig): Fault[] {
  if (!migrationSettings) return config.migrationSettings ? [ofNoMigration] : []
  const faults = serves(config).flatMap(([attribute, { rollout }]) =>
    rollout ? [] : [{ attribute, reason: 'must serve a rollout in a migration flag' }],
  )
  if (config.targets.length + config.contextTargets.length > 0) {
    faults.push({ attribute: 'targets', reason: 'must be empty in a migration flag' })
  }
  if (config.offVariation !== 0) faults.push({ attribute: 'offVariation', reason: 'must be the index of the stage off' })
  if (migrationSettings.stageCount === 6) faults.push(...kindFaults(config, migrationSettings.contextKind as string))
  return faults
}

const ofNoMigration: Fault = {
  attribute: 'migrationSettings',
  reason: 'must be left out unless the flag is a migration flag',
}

function kindFaults(config: FlagConfig, contextKind: string): Fault[] {
  const faults = serves(config).flatMap(([attribute, { rollout }]) =>
    !rollout || rollout.contextKind === contextKind
      ? []
      : [{ attribute: `${attribute}.rollout.contextKind`, reason: `must be ${contextKind}` }],
  )
  faults.push(...config.rules.flatMap((rule, at) => clauseFaults(rule, at, contextKind)))
  if (config.prerequisites.length > 0) {
    faults.push({ attribute: 'prerequisites', reason: 'must be empty in a migration flag of six stages' })
  }
  return faults
}

function clauseFaults({ clauses }: FlagRule, at: number, contextKind: string): Fault[] {
  return clauses.flatMap((clause, i) => {
    const attribute = `rules.${at}.clauses.${i}`
    if (clause.op === 'segmentMatch') {
      return [{ attribute: `${attribute}.op`, reason: 'must not be segmentMatch in a migration flag of six stages' }]
    }
    if (clause.contextKind === contextKind) return []
    return [{ attribute: `${attribute}.contextKind`, reason: `must be ${contextKind}` }]
  })
}

function serves({ rules, fallthrough }: FlagConfig): [string, Serve][] {
  return [...rules.map((rule, at): [string, Serve] => [`rules.${at}`, rule]), ['fallthrough', fallthrough]]
}
