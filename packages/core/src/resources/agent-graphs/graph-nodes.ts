import { aiConfigs } from '../../models/ai-configs/ai-config.ts'
import type { Fault } from '../../operation/errors.ts'
import type { Writer } from '../../storage/writer.ts'
import { addDependency, removeDependency } from '../ai-configs/dependency.ts'
import type { AgentGraph } from './agent-graph.ts'

/** What names the AI configs of a graph. */
type Structure = Pick<AgentGraph, 'rootConfigKey' | 'edges'>

/** The structure of a graph that is not there yet, or no longer. */
export const noNodes: Structure = {}

/**
 * Moves the nodes of a graph from one structure to another: AI configs that come to be named must be in the project, and
 * every config knows the graphs that name it. So none goes while a graph has it, and only those are looked up that come
 * or go.
 *
 * @returns what is wrong with the configs that are named; then the unit is not to be committed.
 */
export async function moveNodes(
  tx: Writer,
  { projectKey, graphKey }: Readonly<Record<'projectKey' | 'graphKey', string>>,
  before: Structure,
  after: Structure,
): Promise<readonly Fault[]> {
  const [had, has] = [new Set(placesOf(before).values()), new Set(placesOf(after).values())]
  const moving = [...had, ...has].filter((key) => !had.has(key) || !has.has(key))
  const found = await tx.getMany(
    aiConfigs,
    moving.map((configKey) => ({ projectKey, configKey })),
  )
  const missing = new Set<string>()
  const graph = { type: 'agent-graph', key: graphKey } as const
  for (const [at, configKey] of moving.entries()) {
    const config = found[at]
    const keys = { projectKey, configKey }
    if (!config) missing.add(configKey)
    else if (has.has(configKey)) addDependency(tx, keys, config, graph)
    else removeDependency(tx, keys, config, graph)
  }
  return [...placesOf(after)]
    .filter(([, configKey]) => missing.has(configKey))
    .map(([attribute]) => ({ attribute, reason: 'must be the key of an AI config of the project' }))
}

/** The keys of configs that a structure names, by where it does. */
function placesOf({ rootConfigKey, edges = [] }: Structure): ReadonlyMap<string, string> {
  const ends = edges.flatMap(({ sourceConfig, targetConfig }, at): [string, string][] => [
    [`edges.${at}.sourceConfig`, sourceConfig],
    [`edges.${at}.targetConfig`, targetConfig],
  ])
  return new Map(rootConfigKey === undefined ? ends : [['rootConfigKey', rootConfigKey], ...ends])
}
