import type { Holdout } from '../../models/holdouts/holdout.ts'
import type { Host } from '../../operation/context.ts'
import { userKind } from '../../rules/targeting/clause.ts'
import type { Targeting, TargetingRule } from '../../rules/targeting/targeting.ts'

/** Returns the rule that serves the variation outside of an experiment to the contexts of a holdout. */
export function holdoutRule(
  { newId }: Pick<Host, 'newId'>,
  { name, segmentKey }: Holdout,
  { rules }: Targeting,
  ruleId: string,
  variation: number,
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
    variation,
    trackEvents: false,
  }
}
