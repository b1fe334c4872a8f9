import * as v from 'valibot'
import { aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { maintainedBy } from '../../models/maintainers/maintainer.ts'
import { updateOperation, withProperties } from '../../operation/document-operations/update-operation.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import { bypassQuery } from '../environments/approval-pass-wire.ts'
import { maintainerFaults } from '../maintainers/maintainer-faults.ts'
import { aiConfigPatch, aiConfigWire, presentAIConfig } from './ai-config-wire.ts'
import { evaluationMetrics, metricFaults } from './evaluation-metrics.ts'
import { requireApprovedConfig } from './guarded-config.ts'

export const patchAIConfig = updateOperation(aiConfigs, {
  id: 'patchAIConfig',
  method: 'PATCH',
  summary: 'Update an AI config',
  path: '/api/v2/projects/{projectKey}/ai-configs/{configKey}',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  query: v.object(bypassQuery),
  body: aiConfigPatch,
  async change(context, before, body, keys, query) {
    const { tx, fail } = context
    const now = context.readClock()
    const errors = [...metricFaults(body), ...(await maintainerFaults(tx, body))]
    if (errors.length > 0) fail('invalid_request', { errors })
    const after = { ...maintainedBy(withProperties(before, body), body), ...evaluationMetrics(body) }
    if (!jsonEqual(before.tags, after.tags)) await requireApprovedConfig(context, keys, before, after, query)
    return jsonEqual(before, after) ? before : { ...after, updatedAt: now }
  },
  response: aiConfigWire,
  serialize: presentAIConfig,
})
