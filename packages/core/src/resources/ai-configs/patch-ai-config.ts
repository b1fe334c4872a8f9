import * as v from 'valibot'
import { aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { withMaintainer } from '../../models/maintainers/maintainer.ts'
import { updateOperation, withProperties } from '../../operation/document-operations/update-operation.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import { bypassQuery } from '../environments/approval-bypass-query.ts'
import { undoMaintained } from '../maintainers/undo-maintained.ts'
import { validateMaintainer } from '../maintainers/validate-maintainer.ts'
import { aiConfigPatch, aiConfigResponse, serializeAIConfig } from './ai-config-schema.ts'
import { evaluationMetrics, validateMetrics } from './evaluation-metrics.ts'

export const patchAIConfig = updateOperation(aiConfigs, {
  id: 'patchAIConfig',
  undo: { ...undoMaintained(aiConfigs), restores: ['variations', 'dependencies'] },
  method: 'PATCH',
  summary: 'Update an AI config',
  path: '/api/v2/projects/{projectKey}/ai-configs/{configKey}',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  query: v.object(bypassQuery),
  body: aiConfigPatch,
  async change(context, before, body) {
    const { tx, fail } = context
    const now = context.readClock()
    const errors = [...validateMetrics(body), ...(await validateMaintainer(tx, body))]
    if (errors.length > 0) fail('invalid_request', { errors })
    const after = { ...withMaintainer(withProperties(before, body), body), ...evaluationMetrics(body) }
    return jsonEqual(before, after) ? before : { ...after, updatedAt: now }
  },
  response: aiConfigResponse,
  serialize: serializeAIConfig,
})
