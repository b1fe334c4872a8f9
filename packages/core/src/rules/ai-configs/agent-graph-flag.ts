import type { FlagData } from '../evaluation/index.ts'

/** A graph of agents as SDKs receive it: the value of an object flag. */
export interface AgentGraphValue {
  readonly _ldMeta: { readonly enabled: boolean; readonly version: number }
  /** Key of the AI config of the agent that starts; empty when the graph has no structure. */
  readonly root: string
  /** Edges to the agents that an agent can hand work to, by the key of its AI config. */
  readonly edges: Readonly<Record<string, readonly AgentGraphTarget[]>>
}

interface AgentGraphTarget {
  /** Key of the AI config. */
  readonly key: string
  readonly handoff?: Readonly<Record<string, unknown>>
}

/** The stored graph. */
interface StoredGraph {
  readonly key: string
  readonly version: number
  readonly rootConfigKey?: string
  readonly edges?: readonly {
    readonly sourceConfig: string
    readonly targetConfig: string
    readonly handoff?: Readonly<Record<string, unknown>>
  }[]
}

/** Returns a graph of agents as SDKs receive it: a flag that has the same value for every context. */
export function agentGraphFlag({ key, version, rootConfigKey, edges = [] }: StoredGraph): FlagData {
  const bySource = new Map<string, AgentGraphTarget[]>()
  for (const { sourceConfig, targetConfig, handoff } of edges) {
    const targets = bySource.get(sourceConfig) ?? []
    bySource.set(sourceConfig, [...targets, { key: targetConfig, ...(handoff && { handoff }) }])
  }
  const value: AgentGraphValue = {
    _ldMeta: { enabled: rootConfigKey !== undefined, version },
    root: rootConfigKey ?? '',
    edges: Object.fromEntries(bySource),
  }
  return {
    key,
    version,
    on: true,
    salt: '',
    variations: [value],
    prerequisites: [],
    targets: [],
    contextTargets: [],
    rules: [],
    fallthrough: { variation: 0 },
    offVariation: 0,
    trackEvents: false,
    trackEventsFallthrough: false,
    clientSideAvailability: { usingEnvironmentId: false, usingMobileKey: false },
  }
}
