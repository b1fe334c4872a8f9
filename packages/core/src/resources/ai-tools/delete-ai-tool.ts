import * as v from 'valibot'
import { aiTools } from '../../models/ai-tools/ai-tool.ts'
import { detachQuery } from '../../operation/detach-query.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'

export const deleteAITool = deleteOperation(aiTools, {
  id: 'deleteAITool',
  summary: 'Delete a tool that no variation of an AI config uses, with all its versions',
  path: '/api/v2/projects/{projectKey}/ai-tools/{toolKey}',
  access: { action: 'deleteAITool', resource: 'proj/{projectKey}:ai-tool/{toolKey}' },
  contents: true,
  query: v.object(detachQuery),
})
