import { documents, type Versioned } from '../../storage/collection.ts'

/** How an agent is to be optimized: what is tried, how it is judged, and when it is good enough. */
export interface AgentOptimization extends Versioned {
  readonly id: string
  readonly key: string
  readonly aiConfigKey: string
  /** How many iterations a run may take. */
  readonly maxAttempts: number
  readonly judgeModel: string
  /** Models that may be tried. */
  readonly modelChoices: readonly string[]
  /** Values that the variables of instructions may have, one object for each choice. */
  readonly variableChoices: readonly Readonly<Record<string, unknown>>[]
  readonly acceptanceStatements: readonly { readonly statement: string; readonly threshold: number }[]
  readonly judges: readonly { readonly key: string; readonly threshold: number }[]
  readonly userInputOptions: readonly string[]
  readonly groundTruthResponses: readonly string[]
  readonly metricKey?: string
  /** Most tokens that a run may use. */
  readonly tokenLimit?: number
  /** The variation to start from. */
  readonly variationKey?: string
  readonly label?: string
  /** Whether answers should come sooner. */
  readonly latencyOptimization?: boolean
  /** Whether answers should take fewer tokens. */
  readonly tokenOptimization?: boolean
  /** Whether a run that passes makes a variation by itself. */
  readonly autoCommit?: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

/** Its version is that of the stored document, as nothing but a patch changes it. */
export const agentOptimizations = documents<AgentOptimization>()({
  name: 'agent-optimization',
  address: 'proj/{projectKey}:agent-optimization/{optimizationKey}',
  changes: {
    id: null,
    key: null,
    aiConfigKey: null,
    maxAttempts: 'updateAgentOptimization',
    judgeModel: 'updateAgentOptimization',
    modelChoices: 'updateAgentOptimization',
    variableChoices: 'updateAgentOptimization',
    acceptanceStatements: 'updateAgentOptimization',
    judges: 'updateAgentOptimization',
    userInputOptions: 'updateAgentOptimization',
    groundTruthResponses: 'updateAgentOptimization',
    metricKey: 'updateAgentOptimization',
    tokenLimit: 'updateAgentOptimization',
    variationKey: 'updateAgentOptimization',
    label: 'updateAgentOptimization',
    latencyOptimization: 'updateAgentOptimization',
    tokenOptimization: 'updateAgentOptimization',
    autoCommit: 'updateAgentOptimization',
    createdAt: null,
    updatedAt: null,
  },
})
