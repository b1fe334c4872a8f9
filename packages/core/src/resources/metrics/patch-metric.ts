import { type Metric, type MetricKeys, metrics } from '../../models/metrics/metric.ts'
import type { Context } from '../../operation/context.ts'
import { patchOperation } from '../../operation/document-operations/patch-operation.ts'
import type { Writer } from '../../storage/writer.ts'
import { undoMaintained } from '../maintainers/undo-maintained.ts'
import { metricResponse, metricSettings } from './metric-schema.ts'
import { serializeMetric } from './serialize-metric.ts'
import { requireValidMetric } from './validate-metric.ts'

export const patchMetric = patchOperation(metrics, {
  id: 'patchMetric',
  summary: 'Update a metric; running experiments keep the definition that they started with',
  path: '/api/v2/metrics/{projectKey}/{metricKey}',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  settings: metricSettings,
  undo: { prepare: undoMaintained(metrics).prepare },
  change: changedMetric,
  response: metricResponse,
  serialize: serializeMetric,
})

async function changedMetric(
  context: Context<Writer, 'invalid_request' | 'not_found' | 'optimistic_locking_error'>,
  patched: Metric,
  { projectKey }: MetricKeys,
  before: Metric,
): Promise<Metric> {
  await requireValidMetric(context, projectKey, patched, before)
  return { ...patched, updatedAt: context.readClock() }
}
