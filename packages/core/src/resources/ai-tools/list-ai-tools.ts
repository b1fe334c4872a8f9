import { aiTools } from '../../models/ai-tools/ai-tool.ts'
import { projects } from '../../models/projects/project.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { aiToolResponse, serializeAITool } from './ai-tool-schema.ts'

export const listAITools = listOperation(aiTools, {
  id: 'listAITools',
  summary: 'List the tools of a project, each in its newest version',
  path: '/api/v2/projects/{projectKey}/ai-tools',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: projects,
  response: aiToolResponse,
  serialize: serializeAITool,
})
