import { aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { getCard } from '../../operation/cards/get-card.ts'
import { aiConfigWire, presentAIConfig } from './ai-config-wire.ts'

export const getAIConfig = getCard(aiConfigs, {
  id: 'getAIConfig',
  summary: 'Fetch an AI config with its variations',
  path: '/api/v2/projects/{projectKey}/ai-configs/{configKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  answer: aiConfigWire,
  present: presentAIConfig,
})
