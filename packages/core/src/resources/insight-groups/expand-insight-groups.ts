import type { ReadContext } from '../../operation/context.ts'
import type { InsightGroup } from './insight-group.ts'
import { type InsightGroupResponse, serializeEnvironmentsOf, serializeInsightGroup } from './insight-group-schema.ts'
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
  computedScores?: Awaited<ReturnType<typeof readScores>>,
): Promise<InsightGroupResponse[]> {
  const [environments, scores] = await Promise.all([
    expand.includes('environment') ? serializeEnvironmentsOf(context, groups) : [],
    expand.includes('scores') ? (computedScores ?? readScores(context, groups)) : [],
  ])
  return groups.map((group, index) =>
    serializeInsightGroup(context, group, { environment: environments[index], scores: scores[index] }),
  )
}
