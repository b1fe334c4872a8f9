import { aiTools } from '../../models/ai-tools/ai-tool.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { aiToolResponse, serializeAITool } from './ai-tool-schema.ts'

export const getAITool = getOperation(aiTools, {
  id: 'getAITool',
  summary: 'Get the newest version of a tool',
  path: '/api/v2/projects/{projectKey}/ai-tools/{toolKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  response: aiToolResponse,
  serialize: serializeAITool,
})
