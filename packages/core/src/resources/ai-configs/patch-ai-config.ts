import * as v from 'valibot'
import { aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { updateOperation } from '../../operation/document-operations/update-operation.ts'
import { bypassQuery } from '../environments/approval-bypass-query.ts'
import { undoMaintained } from '../maintainers/undo-maintained.ts'
import { aiConfigPatch, aiConfigResponse, serializeAIConfig } from './ai-config-schema.ts'
import { changedConfig } from './changed-config.ts'

export const patchAIConfig = updateOperation(aiConfigs, {
  id: 'patchAIConfig',
  undo: { ...undoMaintained(aiConfigs), restores: ['variations', 'dependencies'] },
  method: 'PATCH',
  summary: 'Update an AI config',
  path: '/api/v2/projects/{projectKey}/ai-configs/{configKey}',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  query: v.object(bypassQuery),
  body: aiConfigPatch,
  change: changedConfig,
  response: aiConfigResponse,
  serialize: serializeAIConfig,
})
