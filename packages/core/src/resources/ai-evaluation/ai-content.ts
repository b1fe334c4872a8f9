import { agentGraphs } from '../../models/agent-graphs/agent-graph.ts'
import { aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { aiModelConfigs } from '../../models/ai-model-configs/ai-model-config.ts'
import { promptSnippets } from '../../models/prompt-snippets/prompt-snippet.ts'
import { isUnder } from '../../storage/port.ts'
import type { ServedContent } from '../evaluation/served-content.ts'
import { readAIDocuments } from './ai-documents.ts'
import { aiFlags } from './ai-flags.ts'

/**
 * Collections whose changes affect what is served. The document of a config changes with each of its variations and
 * targetings; revisions of tools, skills and snippets never change.
 */
const collections: ReadonlySet<string> = new Set(
  [agentGraphs, aiConfigs, aiModelConfigs, promptSnippets].map(({ name }) => name),
)

/** The AI configs and agent graphs of an environment, for its evaluator. */
export const aiContent: ServedContent = {
  async read(tx, keys) {
    const documents = await readAIDocuments(tx, keys)
    return documents ? aiFlags(documents) : new Map()
  },
  affectedBy(keys) {
    const project = aiConfigs.address.scope({ ...keys, configKey: '' })
    return (touched) => {
      switch (touched.kind) {
        case 'document':
          return collections.has(touched.id.collection) && touched.id.scope === project
        case 'collection':
          return collections.has(touched.collection) && isUnder(project, touched.scope)
        default:
          return false
      }
    }
  },
}
