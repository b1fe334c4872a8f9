import { agentGraphs } from '../../models/agent-graphs/agent-graph.ts'
import { agentSkillRevisions } from '../../models/agent-skills/agent-skill.ts'
import { aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { aiConfigTargetings } from '../../models/ai-configs/ai-config-targeting.ts'
import { aiConfigVariations } from '../../models/ai-configs/ai-config-variation.ts'
import { aiModelConfigs } from '../../models/ai-model-configs/ai-model-config.ts'
import { aiToolRevisions } from '../../models/ai-tools/ai-tool.ts'
import { promptSnippetRevisions, promptSnippets } from '../../models/prompt-snippets/prompt-snippet.ts'
import { isUnder } from '../../storage/port.ts'
import type { ServedContent } from '../evaluation/served-content.ts'
import { readAIDocuments } from './ai-documents.ts'
import { aiFlags } from './ai-flags.ts'

const collections: ReadonlySet<string> = new Set(
  [
    agentGraphs,
    agentSkillRevisions,
    aiConfigs,
    aiConfigVariations,
    aiModelConfigs,
    aiToolRevisions,
    promptSnippetRevisions,
    promptSnippets,
  ].map(({ name }) => name),
)

/** The AI configs and agent graphs of an environment, for its evaluator. */
export const aiContent: ServedContent = {
  async read(tx, keys) {
    const documents = await readAIDocuments(tx, keys)
    return documents ? aiFlags(documents) : new Map()
  },
  affectedBy(keys) {
    const project = aiConfigs.address.scope({ ...keys, configKey: '' })
    const targetings = aiConfigTargetings.address.scope({ ...keys, configKey: '' })
    return (touched) => {
      switch (touched.kind) {
        case 'document': {
          const { collection, scope } = touched.id
          if (collection === aiConfigTargetings.name) return scope === targetings
          return collections.has(collection) && isUnder(scope, project)
        }
        case 'collection':
          if (touched.collection === aiConfigTargetings.name) return isUnder(targetings, touched.scope)
          return (
            collections.has(touched.collection) && (isUnder(project, touched.scope) || isUnder(touched.scope, project))
          )
        // The scope below a document is removed together with the document.
        default:
          return false
      }
    }
  },
}
