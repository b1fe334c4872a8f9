import type { AgentGraph } from '../../models/agent-graphs/agent-graph.ts'
import { aiConfigs } from '../../models/ai-configs/ai-config.ts'
import type { ValidationError } from '../../operation/errors.ts'
import type { Replacement } from '../../storage/collection.ts'
import type { Writer } from '../../storage/writer.ts'
import { addDependency, removeDependency } from '../ai-configs/dependency.ts'

/** The parts of a graph that refer to AI configs. */
type Structure = Pick<AgentGraph, 'rootConfigKey' | 'edges'>

/** Structure of a graph that does not exist yet, or no longer exists. */
export const noNodes: Structure = {}

/**
 * Replaces the nodes of a graph. Each AI config lists the graphs that refer to it, so that it cannot be deleted while a
 * graph refers to it. Only configs that are added or removed are read.
 *
 * @returns validation errors for references to configs that do not exist in the project. If there are errors, the
 *   caller must not commit the unit.
 */
export async function updateNodes(
  tx: Writer,
  {
    keys: { projectKey, graphKey },
    before,
    after,
  }: Replacement<Structure, Readonly<Record<'projectKey' | 'graphKey', string>>>,
): Promise<readonly ValidationError[]> {
  const [keysBefore, keysAfter] = [
    new Set(configKeysByPath(before).values()),
    new Set(configKeysByPath(after).values()),
  ]
  const changedKeys = [...keysBefore, ...keysAfter].filter((key) => !keysBefore.has(key) || !keysAfter.has(key))
  const configs = await tx.getMany(
    aiConfigs,
    changedKeys.map((configKey) => ({ projectKey, configKey })),
  )
  const missing = new Set<string>()
  const graph = { type: 'agent-graph', key: graphKey } as const
  for (const [index, configKey] of changedKeys.entries()) {
    const config = configs[index]
    const keys = { projectKey, configKey }
    if (!config) missing.add(configKey)
    else if (keysAfter.has(configKey)) addDependency(tx, keys, config, graph)
    else removeDependency(tx, keys, config, graph)
    // The commit requires that the config is unchanged, also when the config already lists the graph and is not written
    // here.
    if (config) tx.expect(aiConfigs, keys, config)
  }
  return [...configKeysByPath(after)]
    .filter(([, configKey]) => missing.has(configKey))
    .map(([attribute]) => ({ attribute, reason: 'must be the key of an AI config of the project' }))
}

/** Returns the keys of the configs that a structure refers to, by the path of the reference. */
function configKeysByPath({ rootConfigKey, edges = [] }: Structure): ReadonlyMap<string, string> {
  const ends = edges.flatMap(({ sourceConfig, targetConfig }, index): [string, string][] => [
    [`edges.${index}.sourceConfig`, sourceConfig],
    [`edges.${index}.targetConfig`, targetConfig],
  ])
  return new Map(rootConfigKey === undefined ? ends : [['rootConfigKey', rootConfigKey], ...ends])
}
