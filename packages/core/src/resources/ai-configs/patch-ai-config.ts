import * as v from 'valibot'
import { aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { withMaintainer } from '../../models/maintainers/maintainer.ts'
import { updateOperation, withProperties } from '../../operation/document-operations/update-operation.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import { bypassQuery } from '../environments/approval-bypass-query.ts'
import { requireKnownMaintainer } from '../maintainers/require-known-maintainer.ts'
import { undoMaintained } from '../maintainers/undo-maintained.ts'
import { validateMaintainer } from '../maintainers/validate-maintainer.ts'
import { aiConfigPatch, aiConfigResponse, serializeAIConfig } from './ai-config-schema.ts'
import { evaluationMetrics, validateMetrics } from './evaluation-metrics.ts'
import { requireApprovedConfig } from './protected-config.ts'

export const patchAIConfig = updateOperation(aiConfigs, {
  id: 'patchAIConfig',
  undo: {
    ...undoMaintained(aiConfigs),
    async update(context, keys, current, wanted, options) {
      await requireKnownMaintainer(context, wanted, current)
      if (!jsonEqual(current.tags, wanted.tags)) await requireApprovedConfig(context, keys, current, wanted, options)
      context.tx.replace(aiConfigs, keys, current, { ...wanted, updatedAt: context.readClock() })
    },
    restores: ['variations', 'dependencies'],
  },
  method: 'PATCH',
  summary: 'Update an AI config',
  path: '/api/v2/projects/{projectKey}/ai-configs/{configKey}',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  query: v.object(bypassQuery),
  body: aiConfigPatch,
  async change(context, before, body, keys, query) {
    const { tx, fail } = context
    const now = context.readClock()
    const errors = [...validateMetrics(body), ...(await validateMaintainer(tx, body))]
    if (errors.length > 0) fail('invalid_request', { errors })
    const after = { ...withMaintainer(withProperties(before, body), body), ...evaluationMetrics(body) }
    if (!jsonEqual(before.tags, after.tags)) await requireApprovedConfig(context, keys, before, after, query)
    return jsonEqual(before, after) ? before : { ...after, updatedAt: now }
  },
  response: aiConfigResponse,
  serialize: serializeAIConfig,
})
