import { defaultRandomizationUnit } from '../../models/experimentation-settings/default-randomization-unit.ts'
import { withDefaultMaintainer } from '../../models/maintainers/maintainer.ts'
import { type Metric, metrics } from '../../models/metrics/metric.ts'
import { projects } from '../../models/projects/project.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { metricRequest, metricResponse } from './metric-schema.ts'
import { serializeMetric } from './serialize-metric.ts'
import { requireValidMetric } from './validate-metric.ts'

export const postMetric = createOperation(metrics, {
  id: 'postMetric',
  summary: 'Create a metric',
  path: '/api/v2/metrics/{projectKey}',
  access: { action: 'createMetric', resource: 'proj/{projectKey}:metric/{body.key}' },
  within: projects,
  body: metricRequest,
  async make(context, { eventDefault: { disabled, value }, ...body }, { projectKey }) {
    const { isNumeric, successCriteria } = body
    if (isNumeric && successCriteria === undefined) {
      const errors = [{ attribute: 'successCriteria', reason: 'must be given for a numeric metric' }]
      context.fail('invalid_request', { errors })
    }
    const now = context.readClock()
    const metric: Omit<Metric, 'version'> = {
      ...withDefaultMaintainer(body, context.caller),
      id: context.useHost().newId(),
      name: body.name ?? body.key,
      randomizationUnits: body.randomizationUnits ?? [await defaultRandomizationUnit(context.tx, projectKey)],
      successCriteria: successCriteria ?? 'HigherThanBaseline',
      eventDefault: disabled ? { disabled, ...(value === undefined ? {} : { value }) } : { disabled, value: 0 },
      createdAt: now,
      updatedAt: now,
    }
    await requireValidMetric(context, projectKey, metric)
    return metric
  },
  response: metricResponse,
  serialize: serializeMetric,
})
