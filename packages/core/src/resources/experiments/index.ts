import { experiments as experimentDocuments } from '../../models/experiments/experiment.ts'
import { resource } from '../../operation/resource.ts'
import { analysisParameters } from './analysis/analysis-parameters.ts'
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
    metricKey: 'Key of a metric of the experiment.',
    metricGroupKey: 'Key of a metric group of the experiment.',
    iterationId: 'Id of the iteration. Default: the running iteration, or the last one that was stopped.',
    ...analysisParameters,
    varianceReduction:
      '`cuped`: results use what units did in the 14 days before the iteration, while no iteration was running. Default `none`.',
    filter:
      'Terms joined by commas, such as `flagKey:checkout,status:running`. Fields: `flagKey`, `metricKey`, `status`.',
    lifecycleState: 'States of the experiments to list: `active`, `archived`, or both, separated by a comma.',
  },
})
