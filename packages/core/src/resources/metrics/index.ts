import { metrics as metricDocuments } from '../../models/metrics/metric.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const metrics = resource({
  title: 'Metrics',
  description: 'Numbers that experiments and guarded releases compare between variations, computed from events.',
  kinds: [
    {
      shape: 'proj:metric',
      actions: [
        'createMetric',
        'updateName',
        'updateDescription',
        'updateTags',
        'updateMaintainer',
        'updateMetric',
        'deleteMetric',
      ],
    },
  ],
  collections: [metricDocuments],
  operations: Object.values(operations),
  parameters: { metricKey: 'Key of the metric.' },
})
