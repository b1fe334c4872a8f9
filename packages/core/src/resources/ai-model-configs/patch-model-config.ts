import { aiModelConfigRevisions, aiModelConfigs } from '../../models/ai-model-configs/ai-model-config.ts'
import { updateOperation, withProperties } from '../../operation/document-operations/update-operation.ts'
import { nextRevision } from '../../storage/revisions.ts'
import { undoRevised } from '../maintainers/undo-maintained.ts'
import { aiModelConfigPatch, aiModelConfigResponse, serializeAIModelConfig } from './ai-model-config-schema.ts'

export const patchModelConfig = updateOperation(aiModelConfigs, {
  id: 'patchModelConfig',
  undo: undoRevised(aiModelConfigs, aiModelConfigRevisions),
  method: 'PATCH',
  summary: 'Update a model config, which creates a new version',
  path: '/api/v2/projects/{projectKey}/ai-configs/model-configs/{modelConfigKey}',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  body: aiModelConfigPatch,
  change(context, before, body, keys) {
    const replacement = { keys, before, after: withProperties(before, body) }
    return nextRevision(context.tx, aiModelConfigRevisions, replacement, context.readClock())
  },
  response: aiModelConfigResponse,
  serialize: serializeAIModelConfig,
})
