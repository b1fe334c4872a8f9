import { createInsightGroup } from './create-insight-group.ts'
import { deleteInsightGroup } from './delete-insight-group.ts'
import { getInsightGroup } from './get-insight-group.ts'
import { getInsightsScores } from './get-insights-scores.ts'
import { listInsightGroups } from './list-insight-groups.ts'
import { patchInsightGroup } from './patch-insight-group.ts'

export const insightGroupOperations = [
  listInsightGroups,
  createInsightGroup,
  getInsightGroup,
  patchInsightGroup,
  deleteInsightGroup,
  getInsightsScores,
] as const
