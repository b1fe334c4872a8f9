import { aiToolRevisions, aiTools } from '../../models/ai-tools/ai-tool.ts'
import { listCard } from '../../operation/cards/list-card.ts'
import { newestRevisionFirst } from '../../storage/revisions.ts'
import { aiToolWire, presentAITool } from './ai-tool-wire.ts'

export const listAIToolVersions = listCard(aiToolRevisions, {
  id: 'listAIToolVersions',
  summary: 'List the versions of a tool, the newest first',
  path: '/api/v2/projects/{projectKey}/ai-tools/{toolKey}/versions',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: aiTools,
  select: newestRevisionFirst,
  answer: aiToolWire,
  present: presentAITool,
})
