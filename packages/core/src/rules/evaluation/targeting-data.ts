import type { Clause } from '../targeting/clause.ts'
import type { Serve } from '../targeting/serve.ts'
import type { Target, Targeting } from '../targeting/targeting.ts'
import type { ClauseData, FlagData, ServeData } from './flag-data.ts'

/** Returns the targeting of a flag or an AI config as SDKs receive it. */
export function targetingDataOf(targeting: Targeting) {
  const { on, targets, rules, fallthrough, offVariation, trackEvents, trackEventsFallthrough } = targeting
  return {
    on,
    targets,
    contextTargets: orderedTargets(targeting),
    rules: rules.map((rule) => ({
      id: rule._id,
      clauses: rule.clauses.map(clauseDataOf),
      trackEvents: rule.trackEvents,
      ...serveDataOf(rule),
    })),
    fallthrough: serveDataOf(fallthrough),
    offVariation,
    trackEvents,
    trackEventsFallthrough,
  } satisfies Partial<FlagData>
}

/** Users come first: when a context of several kinds matches two targets, the target of the user wins. */
function orderedTargets({ targets, contextTargets }: Targeting): Target[] {
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
