import { refuseWhileReferenced } from '../../models/ai-configs/referencing-variations.ts'
import { aiTools } from '../../models/ai-tools/ai-tool.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'

export const deleteAITool = deleteOperation(aiTools, {
  id: 'deleteAITool',
  summary: 'Delete a tool that no variation of an AI config uses, with all its versions',
  path: '/api/v2/projects/{projectKey}/ai-tools/{toolKey}',
  access: { action: 'deleteAITool', resource: 'proj/{projectKey}:ai-tool/{toolKey}' },
  contents: true,
  also: (context, _, keys) => refuseWhileReferenced(context, keys, 'tools', keys.toolKey),
})
