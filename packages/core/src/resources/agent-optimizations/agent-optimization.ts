import { documents, type Versioned } from '../../storage/collection.ts'

/** Settings of the optimization of an agent: the alternatives to try, how they are judged, and the scores to reach. */
export interface AgentOptimization extends Versioned {
  readonly id: string
  readonly key: string
  readonly aiConfigKey: string
  /** Maximum number of iterations of a run. */
  readonly maxAttempts: number
  readonly judgeModel: string
  /** Models to try. */
  readonly modelChoices: readonly string[]
  /** Values to try for the variables of the instructions, one object for each choice. */
  readonly variableChoices: readonly Readonly<Record<string, unknown>>[]
  readonly acceptanceStatements: readonly { readonly statement: string; readonly threshold: number }[]
  readonly judges: readonly { readonly key: string; readonly threshold: number }[]
  readonly userInputOptions: readonly string[]
  readonly groundTruthResponses: readonly string[]
  readonly metricKey?: string
  /** Maximum number of tokens of a run. */
  readonly tokenLimit?: number
  /** The variation that a run starts from. */
  readonly variationKey?: string
  readonly label?: string
  /** True when the optimization also aims at a lower latency. */
  readonly latencyOptimization?: boolean
  /** True when the optimization also aims at fewer tokens. */
  readonly tokenOptimization?: boolean
  /** True when a run that passes creates a variation. */
  readonly autoCommit?: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

/** The version of an optimization is the version of its document, because only patches change the document. */
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
