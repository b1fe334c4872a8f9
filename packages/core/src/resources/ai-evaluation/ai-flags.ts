import type { AIConfig } from '../../models/ai-configs/ai-config.ts'
import { defaultTargeting } from '../../models/ai-configs/ai-config-targeting.ts'
import type { AIConfigVariation } from '../../models/ai-configs/ai-config-variation.ts'
import { agentGraphFlag } from '../../rules/ai-configs/agent-graph-flag.ts'
import { aiConfigFlag } from '../../rules/ai-configs/ai-config-flag.ts'
import type { AIConfigValue } from '../../rules/ai-configs/ai-config-value.ts'
import { servedVariation } from '../../rules/ai-configs/served-variation.ts'
import { snippetsOf } from '../../rules/ai-configs/snippet-references.ts'
import type { FlagData } from '../../rules/evaluation/index.ts'
import { type AIDocuments, revisionKey } from './ai-documents.ts'

/**
 * Returns the AI configs and agent graphs of an environment as SDKs receive them: as flags, by key. A config has a flag
 * once it has a variation. If a config and a graph have the same key, the flag is made from the config.
 */
export function aiFlags(documents: AIDocuments): ReadonlyMap<string, FlagData> {
  const graphs = documents.graphs.map((graph) => agentGraphFlag(graph))
  const configs = documents.configs.flatMap((config) => configFlag(config, documents) ?? [])
  return new Map([...graphs, ...configs].map((flag) => [flag.key, flag]))
}

function configFlag(config: AIConfig, documents: AIDocuments): FlagData | undefined {
  const { key, version, createdAt, clientSideAvailability } = config
  if (config.variations.length === 0) return undefined
  const variations = config.variations.map((reference) => documents.variations.get(revisionKey(key, reference.key)))
  return aiConfigFlag({
    key,
    version:
      version * versionFactor +
      variations.reduce((sum, variation) => sum + versionOfReferences(variation, documents), 0),
    salt: String(createdAt),
    targeting: documents.targetings.get(key) ?? defaultTargeting(config, documents.environment),
    values: variations.map((variation) => servedValue(config, variation, documents)),
    clientSideAvailability: clientSideAvailability ?? { usingEnvironmentId: false, usingMobileKey: false },
  })
}

/**
 * Factor of the version of a config in the version of its flag. When a variation loses a reference, the version of the
 * config increases, but the sum of the referenced versions decreases. Without the factor, the version of the flag could
 * stay the same, and SDKs report a change of a flag only when its version differs. Some SDKs store the version in 32
 * bits.
 */
const versionFactor = 1_000

/** Returns a number that grows with each change of a document to which a variation refers without a version. */
function versionOfReferences(
  variation: AIConfigVariation | undefined,
  { modelConfigs, snippets }: AIDocuments,
): number {
  if (!variation) return 0
  const modelConfig = modelConfigs.get(variation.modelConfigKey ?? '')
  return snippetsOf(variation).reduce(
    (sum, { key, version }) => sum + (version === undefined ? (snippets.get(key)?.version ?? 0) : 0),
    modelConfig?.version ?? 0,
  )
}

/**
 * Returns the value that a variation serves; a disabled value when the variation is missing. A variation is missing for
 * a moment when another process deletes it during the read; the next read corrects this.
 */
function servedValue(
  config: AIConfig,
  variation: AIConfigVariation | undefined,
  documents: AIDocuments,
): AIConfigValue {
  const { mode } = config
  if (!variation) return { _ldMeta: { enabled: false, variationKey: '', version: 0, mode } }
  const { tools, skills, snippets, modelConfigs } = documents
  return servedVariation(config, variation, {
    modelConfig: modelConfigs.get(variation.modelConfigKey ?? ''),
    toolOf: (key, version) => tools.get(revisionKey(key, version)),
    skills: (variation.skills ?? []).flatMap(({ key, version }) => {
      const skill = skills.get(revisionKey(key, version))
      return skill ? [{ key, name: skill.name, description: skill.description, version, markdown: skill.markdown }] : []
    }),
    snippetOf: ({ key, version }) => snippets.get(version === undefined ? key : revisionKey(key, version))?.text,
  })
}
