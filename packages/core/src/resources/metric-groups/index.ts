import { metricGroups as metricGroupDocuments } from '../../models/metric-groups/metric-group.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const metricGroups = resource({
  title: 'Metric groups',
  description: 'Metrics that experiments and guarded releases use together: funnels and collections.',
  kinds: [{ shape: 'proj:metric-group', actions: ['createMetricGroup', 'updateMetricGroup', 'deleteMetricGroup'] }],
  collections: [metricGroupDocuments],
  operations: Object.values(operations),
  parameters: { metricGroupKey: 'Key of the metric group.' },
})
