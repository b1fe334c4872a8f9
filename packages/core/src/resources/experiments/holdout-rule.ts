import type { Holdout } from '../../models/holdouts/holdout.ts'
import type { Host } from '../../operation/context.ts'
import { userKind } from '../../rules/targeting/clause.ts'
import type { Rollout } from '../../rules/targeting/serve.ts'
import type { Targeting, TargetingRule } from '../../rules/targeting/targeting.ts'

/** A rule, and the rollout that it serves. */
export interface RuleRollout {
  readonly ruleId: string
  readonly rollout: Rollout
}

/**
 * Returns the rule for the contexts of a holdout. Its rollout serves all of them the variation that contexts outside of
 * the experiment receive. It also makes SDKs report the contexts that the experiment would count, because the holdout
 * is measured by these (docs/decisions/0076-measure-holdouts-by-the-contexts-that-experiments-would-count.md).
 */
export function holdoutRule(
  { newId }: Pick<Host, 'newId'>,
  { name, segmentKey }: Holdout,
  { rules }: Targeting,
  { ruleId, rollout }: RuleRollout,
): TargetingRule {
  const clauses = rules.find(({ _id }) => _id === ruleId)?.clauses ?? []
  const inHoldout = {
    _id: newId(),
    attribute: 'segmentMatch',
    op: 'segmentMatch',
    values: [segmentKey],
    negate: false,
    contextKind: userKind,
  } as const
  return {
    _id: newId(),
    description: `Holdout ${name}`,
    clauses: [inHoldout, ...clauses.map((clause) => ({ ...clause, _id: newId() }))],
    rollout,
    trackEvents: false,
  }
}
