import { withDefaultMaintainer } from '../../models/maintainers/maintainer.ts'
import { metricGroups } from '../../models/metric-groups/metric-group.ts'
import { projects } from '../../models/projects/project.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { metricGroupRequest, metricGroupResponse } from './metric-group-schema.ts'
import { serializeMetricGroup } from './serialize-metric-group.ts'
import { requireValidMetricGroup } from './validate-metric-group.ts'

export const createMetricGroup = createOperation(metricGroups, {
  id: 'createMetricGroup',
  summary: 'Create a metric group',
  path: '/api/v2/projects/{projectKey}/metric-groups',
  beta: 'tagged',
  access: { action: 'createMetricGroup', resource: 'proj/{projectKey}:metric-group/{body.key}' },
  within: projects,
  body: metricGroupRequest,
  async make(context, body, { projectKey }) {
    const now = context.readClock()
    const group = {
      ...withDefaultMaintainer(body, context.caller),
      id: context.useHost().newId(),
      createdAt: now,
      updatedAt: now,
    }
    await requireValidMetricGroup(context, projectKey, group)
    return group
  },
  response: metricGroupResponse,
  serialize: serializeMetricGroup,
})
