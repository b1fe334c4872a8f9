import { metricGroups } from '../../models/metric-groups/metric-group.ts'
import { patchOperation } from '../../operation/document-operations/patch-operation.ts'
import { undoMaintained } from '../maintainers/undo-maintained.ts'
import { metricGroupResponse, metricGroupSettings } from './metric-group-schema.ts'
import { serializeMetricGroup } from './serialize-metric-group.ts'
import { requireValidMetricGroup } from './validate-metric-group.ts'

export const patchMetricGroup = patchOperation(metricGroups, {
  id: 'patchMetricGroup',
  summary: 'Update a metric group',
  path: '/api/v2/projects/{projectKey}/metric-groups/{metricGroupKey}',
  beta: 'tagged',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  settings: metricGroupSettings,
  undo: { prepare: undoMaintained(metricGroups).prepare },
  async change(context, patched, { projectKey }) {
    await requireValidMetricGroup(context, projectKey, patched)
    return { ...patched, updatedAt: context.readClock() }
  },
  response: metricGroupResponse,
  serialize: serializeMetricGroup,
})
