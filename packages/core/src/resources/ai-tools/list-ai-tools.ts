import { listCard } from '../../operation/cards/list-card.ts'
import { projects } from '../projects/project.ts'
import { aiTools } from './ai-tool.ts'
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
