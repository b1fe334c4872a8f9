import { aiTools } from '../../models/ai-tools/ai-tool.ts'
import { projects } from '../../models/projects/project.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { aiToolWire, presentAITool } from './ai-tool-wire.ts'

export const listAITools = listOperation(aiTools, {
  id: 'listAITools',
  summary: 'List the tools of a project, each in its newest version',
  path: '/api/v2/projects/{projectKey}/ai-tools',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: projects,
  response: aiToolWire,
  serialize: presentAITool,
})
