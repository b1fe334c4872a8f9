import type { ReadContext } from '../../operation/context.ts'
import type { InsightGroup } from './insight-group.ts'
import { type InsightGroupAnswer, presentEnvironmentsOf, presentInsightGroup } from './insight-group-wire.ts'
import { readScores } from './read-scores.ts'

/**
 * Serializes groups with the expanded parts.
 *
 * @param computedScores scores of the groups, when they were computed before.
 */
export async function expandInsightGroups(
  context: ReadContext,
  groups: readonly InsightGroup[],
  expand: readonly string[],
  known?: Awaited<ReturnType<typeof readScores>>,
): Promise<InsightGroupAnswer[]> {
  const [environments, scores] = await Promise.all([
    expand.includes('environment') ? presentEnvironmentsOf(context, groups) : [],
    expand.includes('scores') ? (known ?? readScores(context, groups)) : [],
  ])
  return groups.map((group, at) =>
    presentInsightGroup(context, group, { environment: environments[at], scores: scores[at] }),
  )
}
