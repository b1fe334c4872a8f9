import { aiTools as aiToolDocuments, aiToolRevisions } from '../../models/ai-tools/ai-tool.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const aiTools = resource({
  title: 'AI tools',
  description: 'Tools that AI configs offer to a model.',
  kinds: [{ shape: 'proj:ai-tool', actions: ['createAITool', 'updateAITool', 'deleteAITool'] }],
  collections: [aiToolRevisions, aiToolDocuments],
  operations: Object.values(operations),
  parameters: {
    toolKey: 'Key of the tool.',
  },
})
