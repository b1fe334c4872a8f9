import { experiments as experimentDocuments } from '../../models/experiments/experiment.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const experiments = resource({
  title: 'Experiments',
  description: 'Comparisons of the variations of flags and AI configs.',
  kinds: [
    {
      shape: 'proj:env:experiment',
      actions: ['createExperiment', 'updateExperiment', 'updateExperimentArchived'],
    },
  ],
  collections: [experimentDocuments],
  operations: Object.values(operations),
  parameters: {
    experimentKey: 'Key of the experiment.',
    filter:
      'Terms joined by commas, such as `flagKey:checkout,status:running`. Fields: `flagKey`, `metricKey`, `status`.',
    lifecycleState: 'States of the experiments to list: `active`, `archived`, or both, separated by a comma.',
  },
})
