import type { Host } from '../../../operation/context.ts'
import {
  addCosts,
  type ModelCall,
  type ModelProvider,
  type ModelReply,
  type RunCosts,
  RunFailure,
} from './model-call.ts'

export type Limits = Partial<RunCosts>

/** Maximum length of a reply that a result can store, in characters. */
const maxReplyLength = 100_000

/** Maximum delay of a timer, in ms. */
const maxTimerMs = 2_147_483_647

const units: Readonly<Record<keyof RunCosts, string>> = { tokens: 'tokens', cost: 'costs', ms: 'ms' }

/** A reply with the costs of its call. */
export interface PricedReply {
  readonly text: string
  readonly costs: RunCosts
}

/** Calls the model provider of a run within the limits of the run. */
export class ModelCaller {
  spent: RunCosts
  private readonly provider: ModelProvider
  private readonly limits: Limits
  private readonly host: Host
  private readonly signal: AbortSignal | undefined

  constructor(
    spent: RunCosts,
    input: { readonly model: ModelProvider; readonly limits: Limits; readonly signal?: AbortSignal | undefined },
    host: Host,
  ) {
    this.spent = spent
    this.provider = input.model
    this.limits = input.limits
    this.signal = input.signal
    this.host = host
  }

  /**
   * Calls a model.
   *
   * @param label purpose of the call, for the reasons of failures.
   * @throws RunFailure `FAILED` when a limit is reached before the call or its time is over, `ERRORED` when the
   *   provider fails or its reply is invalid; the reason of the signal when the caller aborts the run.
   */
  async call(label: string, call: Omit<ModelCall, 'remaining' | 'signal'>): Promise<PricedReply> {
    this.signal?.throwIfAborted()
    const remaining = this.remaining()
    const startedAt = this.host.now()
    const timeout = remaining.ms === undefined ? [] : [AbortSignal.timeout(Math.min(remaining.ms, maxTimerMs))]
    const signal = AbortSignal.any([...(this.signal ? [this.signal] : []), ...timeout])
    const reply = await this.answer({ ...call, remaining, signal }).catch((error: unknown) => {
      // A call that was aborted is not stored, so a resumed run makes it again.
      this.signal?.throwIfAborted()
      if (signal.aborted) throw limitReached('ms', this.limits.ms)
      // The message of the provider may contain secrets, such as the URL or the headers of a request.
      throw new RunFailure('ERRORED', `The model provider failed: ${label}`, error)
    })
    const ms = Math.max(0, this.host.now() - startedAt)
    const invalid = replyError(reply, this.limits)
    if (invalid !== undefined)
      throw new RunFailure('ERRORED', `The reply of the model provider is invalid (${label}): ${invalid}`)
    const costs = { tokens: reply.tokens, cost: reply.cost ?? 0, ms }
    this.spent = addCosts(this.spent, costs)
    return { text: reply.text, costs }
  }

  /** Rejects also when the provider throws before it returns a promise. */
  private async answer(call: ModelCall): Promise<ModelReply> {
    return this.provider(call)
  }

  private remaining(): Partial<RunCosts> {
    const names = Object.keys(units) as (keyof RunCosts)[]
    const entries = names.flatMap((name) => {
      const limit = this.limits[name]
      if (limit === undefined) return []
      if (this.spent[name] >= limit) throw limitReached(name, limit)
      return [[name, limit - this.spent[name]] as const]
    })
    return Object.fromEntries(entries)
  }
}

function limitReached(name: keyof RunCosts, limit: number | undefined): RunFailure {
  return new RunFailure('FAILED', `The run reached its limit of ${limit} ${units[name]}`)
}

/**
 * Returns why a reply is invalid; undefined when it is valid. The check is needed because a host may be written without
 * types.
 */
function replyError(reply: ModelReply | undefined, limits: Limits): string | undefined {
  const { text, tokens, cost } = (reply ?? {}) as Readonly<Record<keyof ModelReply, unknown>>
  if (typeof text !== 'string') return 'text must be a string'
  if (text.length > maxReplyLength) return `text must have at most ${maxReplyLength} characters`
  if (!isAmount(tokens)) return 'tokens must be a number that is not negative'
  if (cost === undefined)
    return limits.cost === undefined ? undefined : 'cost must be present, because the run has a limit of costs'
  return isAmount(cost) ? undefined : 'cost must be a number that is not negative'
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
