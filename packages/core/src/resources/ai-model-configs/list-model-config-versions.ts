import { aiModelConfigRevisions, aiModelConfigs } from '../../models/ai-model-configs/ai-model-config.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { newestRevisionFirst } from '../../storage/revisions.ts'
import { aiModelConfigResponse, serializeAIModelConfig } from './ai-model-config-schema.ts'

export const listModelConfigVersions = listOperation(aiModelConfigRevisions, {
  id: 'listModelConfigVersions',
  summary: 'List the versions of a model config, newest first',
  path: '/api/v2/projects/{projectKey}/ai-configs/model-configs/{modelConfigKey}/versions',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: aiModelConfigs,
  select: newestRevisionFirst,
  response: aiModelConfigResponse,
  serialize: serializeAIModelConfig,
})
