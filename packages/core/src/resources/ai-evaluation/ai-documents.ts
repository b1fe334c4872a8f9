import { type AgentGraph, agentGraphs } from '../../models/agent-graphs/agent-graph.ts'
import { type AgentSkill, agentSkillRevisions } from '../../models/agent-skills/agent-skill.ts'
import { type AIConfig, aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { type AIConfigTargeting, aiConfigTargetings } from '../../models/ai-configs/ai-config-targeting.ts'
import { type AIConfigVariation, aiConfigVariations } from '../../models/ai-configs/ai-config-variation.ts'
import { type AIModelConfig, aiModelConfigs } from '../../models/ai-model-configs/ai-model-config.ts'
import { type AITool, aiToolRevisions } from '../../models/ai-tools/ai-tool.ts'
import { type Environment, environments } from '../../models/environments/environment.ts'
import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import {
  type PromptSnippet,
  promptSnippetRevisions,
  promptSnippets,
} from '../../models/prompt-snippets/prompt-snippet.ts'
import { snippetsOf } from '../../rules/ai-configs/snippet-references.ts'
import type { Documents, Keys, Versioned } from '../../storage/collection.ts'
import type { Reader } from '../../storage/reader.ts'

/** All documents from which the AI configs and agent graphs of an environment are served. */
export interface AIDocuments {
  readonly environment: Environment
  readonly configs: readonly AIConfig[]
  readonly graphs: readonly AgentGraph[]
  /** Targetings by config key. Configs without a stored targeting have the default targeting. */
  readonly targetings: ReadonlyMap<string, AIConfigTargeting>
  /** Variations by config key and variation key: see {@link revisionKey}. */
  readonly variations: ReadonlyMap<string, AIConfigVariation>
  readonly modelConfigs: ReadonlyMap<string, AIModelConfig>
  /** The revisions to which variations refer, by key and version: see {@link revisionKey}. */
  readonly tools: ReadonlyMap<string, AITool>
  readonly skills: ReadonlyMap<string, AgentSkill>
  /** Revisions of snippets by key and number; also the newest revision of each snippet, by its key alone. */
  readonly snippets: ReadonlyMap<string, PromptSnippet>
}

/** Returns the key of a document that two parts identify. Keys contain no slash. */
export function revisionKey(key: string, part: string | number): string {
  return `${key}/${part}`
}

/** No limit, because pages would have gaps when a document is removed between the reads of two pages. */
const noLimit = { limit: 2 ** 31 - 1 }

/**
 * Reads the documents of AI configs and agent graphs. Takes one batch of reads when there are no such documents, and
 * three batches otherwise.
 *
 * @returns undefined when the environment does not exist, or its project has neither AI configs nor agent graphs.
 */
export async function readAIDocuments(tx: Reader, keys: EnvironmentKeys): Promise<AIDocuments | undefined> {
  const { projectKey } = keys
  const [environment, configs, graphs] = await Promise.all([
    tx.get(environments, keys),
    tx.list(aiConfigs, { projectKey }, noLimit),
    tx.list(agentGraphs, { projectKey }, noLimit),
  ])
  if (!environment || configs.items.length + graphs.items.length === 0) return undefined
  const [targetings, variations, modelConfigs] = await Promise.all([
    tx.list(aiConfigTargetings, keys, noLimit),
    tx.list(aiConfigVariations, { projectKey }, { ...noLimit, deep: true }),
    tx.list(aiModelConfigs, { projectKey }, noLimit),
  ])
  return {
    environment,
    configs: configs.items,
    graphs: graphs.items,
    targetings: new Map(targetings.items.map((targeting, index) => [targetings.keys[index] as string, targeting])),
    variations: new Map(
      variations.items.map((variation) => [revisionKey(variation.configKey, variation.key), variation]),
    ),
    modelConfigs: new Map(modelConfigs.items.map((modelConfig) => [modelConfig.key, modelConfig])),
    ...(await readReferences(tx, projectKey, variations.items)),
  }
}

/** Reads the tools, skills and snippets to which variations refer, each revision once. */
async function readReferences(tx: Reader, projectKey: string, variations: readonly AIConfigVariation[]) {
  const tools = variations.flatMap((variation) => variation.tools)
  const skills = variations.flatMap((variation) => variation.skills ?? [])
  const snippets = variations.flatMap(snippetsOf)
  const pinned = snippets.flatMap(({ key, version }) => (version === undefined ? [] : [{ key, version }]))
  const newest = [...new Set(snippets.flatMap(({ key, version }) => (version === undefined ? [key] : [])))]
  const [toolRevisions, skillRevisions, snippetRevisions, newestSnippets] = await Promise.all([
    readRevisions(tx, aiToolRevisions, tools, ({ key }, revision) => ({ projectKey, toolKey: key, revision })),
    readRevisions(tx, agentSkillRevisions, skills, ({ key }, revision) => ({ projectKey, skillKey: key, revision })),
    readRevisions(tx, promptSnippetRevisions, pinned, ({ key }, revision) => ({
      projectKey,
      snippetKey: key,
      revision,
    })),
    tx.getMany(
      promptSnippets,
      newest.map((snippetKey) => ({ projectKey, snippetKey })),
    ),
  ])
  const newestByKey = newestSnippets.flatMap((snippet) => (snippet ? [[snippet.key, snippet] as const] : []))
  return {
    tools: toolRevisions,
    skills: skillRevisions,
    snippets: new Map([...snippetRevisions, ...newestByKey]),
  }
}

interface RevisionReference {
  readonly key: string
  readonly version: number
}

async function readRevisions<T extends Versioned, A extends string>(
  tx: Reader,
  collection: Documents<T, A>,
  references: readonly RevisionReference[],
  keysOf: (reference: RevisionReference, revision: string) => Keys<A>,
): Promise<Map<string, T>> {
  const distinct = new Map(references.map((reference) => [revisionKey(reference.key, reference.version), reference]))
  const documents = await tx.getMany(
    collection,
    Array.from(distinct.values(), (reference) => keysOf(reference, String(reference.version))),
  )
  const names = [...distinct.keys()]
  return new Map(
    documents.flatMap((document, index) => (document ? [[names[index] as string, document] as const] : [])),
  )
}
