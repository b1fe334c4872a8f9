import { type AgentGraph, agentGraphs } from '../../models/agent-graphs/agent-graph.ts'
import { agentSkills } from '../../models/agent-skills/agent-skill.ts'
import { type AIConfigKeys, aiConfigs } from '../../models/ai-configs/ai-config.ts'
import {
  type AIConfigVariation,
  aiConfigVariationRevisions,
  aiConfigVariations,
} from '../../models/ai-configs/ai-config-variation.ts'
import { aiModelConfigs } from '../../models/ai-model-configs/ai-model-config.ts'
import { aiTools } from '../../models/ai-tools/ai-tool.ts'
import { promptSnippets } from '../../models/prompt-snippets/prompt-snippet.ts'
import type { WriteContext } from '../../operation/context.ts'
import { fail } from '../../operation/errors.ts'
import { type ReferenceRow, referenceRow, type SavedChange } from '../../operation/reference-row.ts'
import { expandSnippets, snippetsOf } from '../../rules/ai-configs/snippet-references.ts'
import { nextRevision } from '../../storage/revisions.ts'
import { updateNodes } from '../agent-graphs/graph-nodes.ts'
import { agentOptimizations } from '../agent-optimizations/agent-optimization.ts'

/** Stores a variation without the reference. As with every change of a variation, this is its next version. */
async function saveVariation(
  context: WriteContext,
  { keys, before, after = before }: SavedChange<AIConfigVariation, typeof aiConfigVariations.template>,
): Promise<void> {
  const { tx } = context
  const config = (await tx.get(aiConfigs, keys)) ?? fail('optimistic_locking_error')
  const now = context.readClock()
  tx.follow(aiConfigs, keys, config, { ...config, holds: config.holds + 1, updatedAt: now })
  const next = nextRevision(tx, aiConfigVariationRevisions, { keys, before, after }, now)
  tx.replace(aiConfigVariations, keys, before, next)
}

/** Returns a variation whose prompts no longer contain a snippet. */
function withoutSnippet(
  { messages, instructions, ...variation }: AIConfigVariation,
  { snippetKey }: { readonly snippetKey: string },
): AIConfigVariation {
  const remove = (prompt: string) => expandSnippets(prompt, ({ key }) => (key === snippetKey ? '' : undefined))
  return {
    ...variation,
    ...(messages && { messages: messages.map(({ role, content }) => ({ role, content: remove(content) })) }),
    ...(instructions !== undefined && { instructions: remove(instructions) }),
  }
}

/** Returns the keys of the AI configs that a graph refers to. */
function nodesOf({ rootConfigKey, edges = [] }: AgentGraph): string[] {
  const ends = edges.flatMap(({ sourceConfig, targetConfig }) => [sourceConfig, targetConfig])
  return rootConfigKey === undefined ? ends : [rootConfigKey, ...ends]
}

/** Returns a graph without a node. Without its root it has no structure. */
function graphWithoutNode(graph: AgentGraph, { configKey }: AIConfigKeys): AgentGraph {
  const { rootConfigKey, edges = [], ...others } = graph
  if (rootConfigKey === configKey) return others
  const remaining = edges.filter(({ sourceConfig, targetConfig }) => ![sourceConfig, targetConfig].includes(configKey))
  return { ...graph, edges: remaining }
}

/** References between the resources for AI. */
export const aiReferences: readonly ReferenceRow[] = [
  referenceRow({
    from: aiConfigVariations,
    property: 'tools.key',
    to: aiTools,
    rule: 'refuse',
    targets: ({ tools }, { projectKey }) => tools.map(({ key }) => ({ projectKey, toolKey: key })),
    where: ({ toolKey }) => [{ op: 'equals', field: 'tools', value: toolKey }],
    withoutReference: (variation, { toolKey }) => ({
      ...variation,
      tools: variation.tools.filter(({ key }) => key !== toolKey),
    }),
    save: saveVariation,
  }),
  referenceRow({
    from: aiConfigVariations,
    property: 'skills.key',
    to: agentSkills,
    rule: 'refuse',
    targets: ({ skills = [] }, { projectKey }) => skills.map(({ key }) => ({ projectKey, skillKey: key })),
    where: ({ skillKey }) => [{ op: 'equals', field: 'skills', value: skillKey }],
    withoutReference: (variation, { skillKey }) => ({
      ...variation,
      skills: variation.skills?.filter(({ key }) => key !== skillKey),
    }),
    save: saveVariation,
  }),
  referenceRow({
    from: aiConfigVariations,
    property: 'messages.content',
    otherProperties: ['instructions'],
    to: promptSnippets,
    rule: 'refuse',
    targets: (variation, { projectKey }) => snippetsOf(variation).map(({ key }) => ({ projectKey, snippetKey: key })),
    where: ({ snippetKey }) => [{ op: 'equals', field: 'snippets', value: snippetKey }],
    withoutReference: withoutSnippet,
    save: saveVariation,
  }),
  referenceRow({
    from: aiConfigVariations,
    property: 'judges.judgeConfigKey',
    to: aiConfigs,
    rule: 'refuse',
    targets: ({ judges }, { projectKey }) =>
      judges.map(({ judgeConfigKey }) => ({ projectKey, configKey: judgeConfigKey })),
    where: ({ configKey }) => [{ op: 'equals', field: 'judges', value: configKey }],
    withoutReference: (variation, { configKey }) => ({
      ...variation,
      judges: variation.judges.filter(({ judgeConfigKey }) => judgeConfigKey !== configKey),
    }),
    save: saveVariation,
  }),
  referenceRow({
    from: aiConfigVariations,
    property: 'modelConfigKey',
    to: aiModelConfigs,
    rule: 'refuse',
    targets: ({ modelConfigKey }, { projectKey }) =>
      modelConfigKey === undefined ? [] : [{ projectKey, modelConfigKey }],
    where: ({ modelConfigKey }) => [{ op: 'equals', field: 'modelConfigKey', value: modelConfigKey }],
    withoutReference: ({ modelConfigKey: _, ...variation }) => variation,
    save: saveVariation,
  }),
  referenceRow({
    from: agentGraphs,
    property: 'edges.sourceConfig',
    otherProperties: ['edges.targetConfig', 'rootConfigKey'],
    to: aiConfigs,
    rule: 'refuse',
    targets: (graph, { projectKey }) => nodesOf(graph).map((configKey) => ({ projectKey, configKey })),
    withoutReference: graphWithoutNode,
    async save(context, { keys, before, after = before, target }) {
      // Other configs may no longer be nodes of the graph. The deleted one is not written again.
      const others = nodesOf(before)
        .filter((configKey) => configKey !== target.configKey)
        .map((configKey) => ({ key: configKey, sourceConfig: configKey, targetConfig: configKey }))
      await updateNodes(context.tx, { keys, before: { edges: others }, after })
      context.tx.replace(agentGraphs, keys, before, { ...after, updatedAt: context.readClock() })
    },
  }),
  referenceRow({
    from: aiConfigs,
    property: 'dependencies.key',
    to: agentGraphs,
    rule: 'detach',
    why: 'A config lists the graphs that refer to it.',
    targets: ({ dependencies }, { projectKey }) => dependencies.map(({ key }) => ({ projectKey, graphKey: key })),
    withoutReference: (config, { graphKey }) => ({
      ...config,
      dependencies: config.dependencies.filter(({ key }) => key !== graphKey),
    }),
  }),
  referenceRow({
    from: agentOptimizations,
    property: 'aiConfigKey',
    to: aiConfigs,
    rule: 'refuse',
    targets: ({ aiConfigKey }, { projectKey }) => [{ projectKey, configKey: aiConfigKey }],
    withoutReference: () => undefined,
    async save(context, { keys, before }) {
      await context.demand('deleteAgentOptimization', agentOptimizations, keys, before)
      context.tx.remove(agentOptimizations, keys, before)
      context.tx.clear(agentOptimizations.address.address(keys))
    },
  }),
]
