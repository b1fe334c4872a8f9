import type { Flag } from '../../models/flags/flag.ts'
import type { FlagConfig, Target } from '../../models/flags/flag-config.ts'
import type { ClauseData, FlagData, ServeData } from '../../rules/evaluation/index.ts'
import type { Clause } from '../../rules/targeting/clause.ts'
import type { Serve } from '../../rules/targeting/serve.ts'

/**
 * Returns a flag of an environment as SDKs receive it. Its version is that of the flag, which changes with each of its
 * configurations.
 *
 * @param config current configuration, without expired targets.
 */
export function flagDataOf(flag: Flag, config: FlagConfig): FlagData {
  const { migrationSettings } = config
  return {
    key: flag.key,
    version: flag.version,
    on: config.on,
    salt: flag.salt,
    variations: flag.variations.map(({ value }) => value),
    prerequisites: config.prerequisites,
    targets: config.targets,
    contextTargets: orderedTargets(config),
    rules: config.rules.map((rule) => ({
      id: rule._id,
      clauses: rule.clauses.map(clauseDataOf),
      trackEvents: rule.trackEvents,
      ...serveDataOf(rule),
    })),
    fallthrough: serveDataOf(config.fallthrough),
    offVariation: config.offVariation,
    trackEvents: config.trackEvents,
    trackEventsFallthrough: config.trackEventsFallthrough,
    clientSideAvailability: flag.clientSideAvailability,
    ...(migrationSettings ? { migration: { checkRatio: migrationSettings.checkRatio } } : {}),
  }
}

/** Users come first: when a context of several kinds matches two targets, the target of the user wins. */
function orderedTargets({ targets, contextTargets }: FlagConfig): Target[] {
  if (contextTargets.length === 0) return []
  return [...targets.map((target) => ({ ...target, values: [] })), ...contextTargets]
}

function serveDataOf({ variation, rollout }: Serve): ServeData {
  return rollout ? { rollout } : { variation }
}

/** Returns a clause as SDKs receive it. */
export function clauseDataOf({ attribute, op, values, negate, contextKind }: Clause): ClauseData {
  return { contextKind, attribute, op, values, negate }
}
