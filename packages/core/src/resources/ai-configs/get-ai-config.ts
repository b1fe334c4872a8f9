import { aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { aiConfigWire, presentAIConfig } from './ai-config-wire.ts'

export const getAIConfig = getOperation(aiConfigs, {
  id: 'getAIConfig',
  summary: 'Get an AI config with its variations',
  path: '/api/v2/projects/{projectKey}/ai-configs/{configKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  response: aiConfigWire,
  serialize: presentAIConfig,
})
