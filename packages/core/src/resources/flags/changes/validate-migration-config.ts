import type { Flag } from '../../../models/flags/flag.ts'
import type { FlagConfig, FlagRule } from '../../../models/flags/flag-config.ts'
import type { ValidationError } from '../../../rules/json-guard.ts'
import type { Serve } from '../../../rules/targeting/serve.ts'

/**
 * Returns the errors of a configuration that a migration flag must not have. Contexts move from stage to stage by
 * rollouts, never individually, and the off variation is the stage `off`. A flag with six stages, which must not be
 * skipped, may depend on one kind of context only. Returns no errors for other flags, except for migration settings.
 */
export function validateMigrationConfig({ migrationSettings }: Flag, config: FlagConfig): ValidationError[] {
  if (!migrationSettings) return config.migrationSettings ? [notAMigrationFlag] : []
  const errors = servesByPath(config).flatMap(([attribute, { rollout }]) =>
    rollout ? [] : [{ attribute, reason: 'must serve a rollout in a migration flag' }],
  )
  if (config.targets.length + config.contextTargets.length > 0) {
    errors.push({ attribute: 'targets', reason: 'must be empty in a migration flag' })
  }
  if (config.offVariation !== 0)
    errors.push({ attribute: 'offVariation', reason: 'must be 0, the index of the stage `off`' })
  if (migrationSettings.stageCount === 6)
    errors.push(...contextKindErrors(config, migrationSettings.contextKind as string))
  return errors
}

const notAMigrationFlag: ValidationError = {
  attribute: 'migrationSettings',
  reason: 'must be left out unless the flag is a migration flag',
}

function contextKindErrors(config: FlagConfig, contextKind: string): ValidationError[] {
  const errors = servesByPath(config).flatMap(([attribute, { rollout }]) =>
    !rollout || rollout.contextKind === contextKind
      ? []
      : [{ attribute: `${attribute}.rollout.contextKind`, reason: `must be ${contextKind}` }],
  )
  errors.push(...config.rules.flatMap((rule, ruleIndex) => clauseErrors(rule, ruleIndex, contextKind)))
  if (config.prerequisites.length > 0) {
    errors.push({ attribute: 'prerequisites', reason: 'must be empty in a migration flag of six stages' })
  }
  return errors
}

function clauseErrors({ clauses }: FlagRule, ruleIndex: number, contextKind: string): ValidationError[] {
  return clauses.flatMap((clause, clauseIndex) => {
    const attribute = `rules.${ruleIndex}.clauses.${clauseIndex}`
    if (clause.op === 'segmentMatch') {
      return [{ attribute: `${attribute}.op`, reason: 'must not be segmentMatch in a migration flag of six stages' }]
    }
    if (clause.contextKind === contextKind) return []
    return [{ attribute: `${attribute}.contextKind`, reason: `must be ${contextKind}` }]
  })
}

function servesByPath({ rules, fallthrough }: FlagConfig): [string, Serve][] {
  return [
    ...rules.map((rule, ruleIndex): [string, Serve] => [`rules.${ruleIndex}`, rule]),
    ['fallthrough', fallthrough],
  ]
}
