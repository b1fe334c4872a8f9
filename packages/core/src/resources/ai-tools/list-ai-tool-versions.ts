import { aiToolRevisions, aiTools } from '../../models/ai-tools/ai-tool.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { newestRevisionFirst } from '../../storage/revisions.ts'
import { aiToolResponse, serializeAITool } from './ai-tool-schema.ts'

export const listAIToolVersions = listOperation(aiToolRevisions, {
  id: 'listAIToolVersions',
  summary: 'List the versions of a tool, newest first',
  path: '/api/v2/projects/{projectKey}/ai-tools/{toolKey}/versions',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: aiTools,
  select: newestRevisionFirst,
  response: aiToolResponse,
  serialize: serializeAITool,
})
