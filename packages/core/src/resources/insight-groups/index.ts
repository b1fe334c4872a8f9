import { resource } from '../../operation/resource.ts'
import { createInsightGroup } from './create-insight-group.ts'
import { deleteInsightGroup } from './delete-insight-group.ts'
import { getInsightGroup } from './get-insight-group.ts'
import { getInsightsScores } from './get-insights-scores.ts'
import { insightGroups as insightGroupDocuments, insightGroupIndex } from './insight-group.ts'
import { listInsightGroups } from './list-insight-groups.ts'
import { patchInsightGroup } from './patch-insight-group.ts'

export const insightGroups = resource({
  title: 'Insight groups',
  description: 'Groups of applications whose work is scored together.',
  kinds: [
    { shape: 'proj:env:insight-group', actions: ['createInsightGroup', 'updateInsightGroup', 'deleteInsightGroup'] },
  ],
  collections: [insightGroupIndex, insightGroupDocuments],
  operations: [
    listInsightGroups,
    createInsightGroup,
    getInsightGroup,
    patchInsightGroup,
    deleteInsightGroup,
    getInsightsScores,
  ],
  parameters: {
    insightGroupKey: 'Key of the insight group.',
  },
})
