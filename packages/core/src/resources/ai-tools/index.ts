import { aiTools as aiToolDocuments, aiToolRevisions } from '../../models/ai-tools/ai-tool.ts'
import { resource } from '../../operation/resource.ts'
import { createAITool } from './create-ai-tool.ts'
import { deleteAITool } from './delete-ai-tool.ts'
import { getAITool } from './get-ai-tool.ts'
import { listAIToolReferences } from './list-ai-tool-references.ts'
import { listAIToolVersions } from './list-ai-tool-versions.ts'
import { listAITools } from './list-ai-tools.ts'
import { patchAITool } from './patch-ai-tool.ts'

export const aiTools = resource({
  title: 'AI tools',
  description: 'Tools that AI configs offer to a model.',
  kinds: [{ shape: 'proj:ai-tool', actions: ['createAITool', 'updateAITool', 'deleteAITool'] }],
  collections: [aiToolRevisions, aiToolDocuments],
  operations: [
    listAITools,
    createAITool,
    getAITool,
    patchAITool,
    deleteAITool,
    listAIToolVersions,
    listAIToolReferences,
  ],
  parameters: {
    toolKey: 'Key of the tool.',
  },
})
