import { holdouts as holdoutDocuments } from '../../models/holdouts/holdout.ts'
import { resource } from '../../operation/resource.ts'
import { analysisParameters } from '../experiments/analysis/analysis-parameters.ts'
import * as operations from './operations.ts'

export const holdouts = resource({
  title: 'Holdouts',
  description: 'Groups of contexts that are excluded from some experiments.',
  kinds: [{ shape: 'proj:env:holdout', actions: ['createHoldout', 'updateHoldout'] }],
  collections: [holdoutDocuments],
  operations: Object.values(operations),
  parameters: { holdoutKey: 'Key of the holdout.', holdoutId: 'Id of the holdout.', ...analysisParameters },
})
