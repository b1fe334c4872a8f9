import type { FlagConfig, FlagRule } from '../../models/flags/flag-config.ts'
import type { ReleaseAudience } from '../../models/releases/release.ts'
import { userKind } from '../../rules/targeting/clause.ts'

/** Indexes of the variation that a release serves and of the variation that other contexts keep. */
export interface ServedVariations {
  readonly variation: number
  readonly otherVariation: number
}

/** A configuration that serves an audience, and the audience with the rules that were added for it. */
export interface TargetingResult {
  readonly config: FlagConfig
  readonly audience: ReleaseAudience
}

/** An audience, and the variations that it is served. */
export interface ServedAudience {
  readonly audience: ReleaseAudience
  /** `otherVariation` is served to all other contexts when the flag was off without an off variation. */
  readonly variations: ServedVariations
}

/**
 * Serves a variation to an audience: to the whole environment, or to its segments by a new rule.
 *
 * A flag that was off continues to serve all other contexts what it served while it was off.
 */
export function targetAudience(
  config: FlagConfig,
  { audience, variations: { variation, otherVariation } }: ServedAudience,
  newId: () => string,
): TargetingResult {
  const enabled = { ...config, on: true }
  if (audience.segmentKeys.length === 0) return { config: { ...enabled, fallthrough: { variation } }, audience }
  const rule = segmentRule(audience, variation, newId)
  const fallthrough = config.on ? config.fallthrough : { variation: config.offVariation ?? otherVariation }
  return {
    config: { ...enabled, rules: [...config.rules, rule], fallthrough },
    audience: { ...audience, ruleIds: [...audience.ruleIds, rule._id] },
  }
}

function segmentRule({ name, segmentKeys }: ReleaseAudience, variation: number, newId: () => string): FlagRule {
  const clause = {
    _id: newId(),
    attribute: '',
    op: 'segmentMatch',
    values: segmentKeys,
    negate: false,
    contextKind: userKind,
  } as const
  return { _id: newId(), description: `Release to ${name}`, clauses: [clause], variation, trackEvents: false }
}
