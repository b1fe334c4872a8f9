import { resource } from '../../operation/resource.ts'
import { insightGroups as insightGroupDocuments, insightGroupIndex } from './insight-group.ts'
import * as operations from './operations.ts'

export const insightGroups = resource({
  title: 'Insight groups',
  description: 'Groups of applications whose work is scored together.',
  kinds: [
    { shape: 'proj:env:insight-group', actions: ['createInsightGroup', 'updateInsightGroup', 'deleteInsightGroup'] },
  ],
  collections: [insightGroupIndex, insightGroupDocuments],
  operations: Object.values(operations),
  parameters: {
    insightGroupKey: 'Key of the insight group.',
  },
})
