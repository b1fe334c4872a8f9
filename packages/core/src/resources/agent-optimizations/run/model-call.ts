/** A call of a language model, which the host performs. */
export interface ModelCall {
  /** `generate`: the response of the agent. `judge`: a score of a response. `vary`: better instructions. */
  readonly purpose: 'generate' | 'judge' | 'vary'
  /** Name of the model, as the AI config and the optimization name it. */
  readonly model: string
  readonly messages: readonly ModelMessage[]
  /**
   * Parameters of the model from the variation, e.g. `{ temperature: 0.2 }`; empty for the purposes `judge` and `vary`.
   */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Number of the attempt, from 1. */
  readonly attempt: number
  /**
   * Amounts that remain until the limits of the run are reached. A property is absent when the run has no such limit.
   */
  readonly remaining: Partial<RunCosts>
  /** Aborted when the caller aborts the run, and when its time limit is reached. */
  readonly signal: AbortSignal
}

/** One message to a model, e.g. `{ role: 'user', content: 'Hello' }`. */
export interface ModelMessage {
  readonly role: string
  readonly content: string
}

/** The reply of a model. */
export interface ModelReply {
  readonly text: string
  /** Number of tokens of the call, input and output. */
  readonly tokens: number
  /** Price of the call, in any currency. Required when the run has a limit of costs. */
  readonly cost?: number
}

/** The function with which a host calls models. */
export type ModelProvider = (call: ModelCall) => Promise<ModelReply>

/** Costs of model calls, or limits of them. */
export interface RunCosts {
  readonly tokens: number
  readonly cost: number
  /** Time in model calls, in ms. */
  readonly ms: number
}

export const noCosts: RunCosts = { tokens: 0, cost: 0, ms: 0 }

export function addCosts(first: RunCosts, second: RunCosts): RunCosts {
  return { tokens: first.tokens + second.tokens, cost: first.cost + second.cost, ms: first.ms + second.ms }
}

/** A reason that ends a run: a limit was reached, or the model provider failed. */
export class RunFailure extends Error {
  readonly status: 'FAILED' | 'ERRORED'

  constructor(status: 'FAILED' | 'ERRORED', reason: string, cause?: unknown) {
    super(reason, { cause })
    this.status = status
  }
}
