import { aiTools } from '../../models/ai-tools/ai-tool.ts'
import { projects } from '../../models/projects/project.ts'
import { listCard } from '../../operation/cards/list-card.ts'
import { aiToolWire, presentAITool } from './ai-tool-wire.ts'

export const listAITools = listCard(aiTools, {
  id: 'listAITools',
  summary: "List a project's tools, each in its newest version",
  path: '/api/v2/projects/{projectKey}/ai-tools',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: projects,
  answer: aiToolWire,
  present: presentAITool,
})
