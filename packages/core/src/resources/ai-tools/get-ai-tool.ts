import { aiTools } from '../../models/ai-tools/ai-tool.ts'
import { getCard } from '../../operation/cards/get-card.ts'
import { aiToolWire, presentAITool } from './ai-tool-wire.ts'

export const getAITool = getCard(aiTools, {
  id: 'getAITool',
  summary: 'Fetch the newest version of a tool',
  path: '/api/v2/projects/{projectKey}/ai-tools/{toolKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  answer: aiToolWire,
  present: presentAITool,
})
