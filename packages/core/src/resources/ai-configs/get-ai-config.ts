import { aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { aiConfigResponse, serializeAIConfig } from './ai-config-schema.ts'

export const getAIConfig = getOperation(aiConfigs, {
  id: 'getAIConfig',
  summary: 'Get an AI config with its variations',
  path: '/api/v2/projects/{projectKey}/ai-configs/{configKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  response: aiConfigResponse,
  serialize: serializeAIConfig,
})
