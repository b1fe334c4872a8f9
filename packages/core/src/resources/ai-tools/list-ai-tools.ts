import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { projects } from '../projects/project.ts'
import { aiTools } from './ai-tool.ts'
import { aiToolWire, presentAITool } from './ai-tool-wire.ts'

export const listAITools = listOperation(aiTools, {
  id: 'listAITools',
  summary: "List a project's tools, each in its newest version",
  path: '/api/v2/projects/{projectKey}/ai-tools',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: projects,
  response: aiToolWire,
  serialize: presentAITool,
})
