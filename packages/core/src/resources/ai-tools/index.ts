import { createAITool } from './create-ai-tool.ts'
import { deleteAITool } from './delete-ai-tool.ts'
import { getAITool } from './get-ai-tool.ts'
import { listAIToolReferences } from './list-ai-tool-references.ts'
import { listAIToolVersions } from './list-ai-tool-versions.ts'
import { listAITools } from './list-ai-tools.ts'
import { patchAITool } from './patch-ai-tool.ts'

export const aiToolOperations = [
  listAITools,
  createAITool,
  getAITool,
  patchAITool,
  deleteAITool,
  listAIToolVersions,
  listAIToolReferences,
] as const
