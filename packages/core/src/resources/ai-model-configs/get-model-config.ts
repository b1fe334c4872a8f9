import { aiModelConfigs } from '../../models/ai-model-configs/ai-model-config.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { aiModelConfigResponse, serializeAIModelConfig } from './ai-model-config-schema.ts'

export const getModelConfig = getOperation(aiModelConfigs, {
  id: 'getModelConfig',
  summary: 'Get the newest version of a model config',
  path: '/api/v2/projects/{projectKey}/ai-configs/model-configs/{modelConfigKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  response: aiModelConfigResponse,
  serialize: serializeAIModelConfig,
})
