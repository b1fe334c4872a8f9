import type { EvaluationContext as HalyardContext } from '@halyard/core/evaluation'
import {
  type ClientProviderStatus,
  type CommonProvider,
  type EvaluationContext,
  InvalidContextError,
  OpenFeatureEventEmitter,
  type Provider,
  ProviderEvents,
  type ResolutionDetails,
  StandardResolutionReasons,
  TargetingKeyMissingError,
} from '@openfeature/web-sdk'
import { reasonMembers } from '../flag-metadata.ts'
import { mappedContext } from '../mapped-context.ts'
import {
  booleanType,
  failed,
  failureOf,
  jsonType,
  numberType,
  reasonOf,
  resolved,
  stringType,
  type ValueType,
} from '../resolution.ts'
import { differingFlags } from './evaluated-flags.ts'
import { type ReadFlags, readFlags } from './flag-service.ts'

/** Where the flags of a page are evaluated, and how often it asks. */
export interface HalyardWebProviderOptions {
  /** Where the service is that evaluates, e.g. `https://flags.example.test`; `''` for the origin of the page. */
  readonly baseUrl: string
  /** The client-side id of the environment: its `_id`. */
  readonly environmentId: string
  /** How often is asked whether flags have changed, ms; 0 for never. Default: 30,000. */
  readonly pollMs?: number
  /** After how long a request that is not answered has failed, ms. Default: 10,000. */
  readonly timeoutMs?: number
  /** Default: that of the platform. */
  readonly fetch?: typeof fetch
  /** The key of contexts that have none, which are sent as anonymous. Default: one by chance for each provider. */
  readonly anonymousKey?: string
  /** Gives the hash that proves a context, for environments in secure mode. */
  readonly hashOf?: (context: EvaluationContext) => string | undefined
}

/** A provider for browsers that can be asked to look anew. */
export interface HalyardWebProvider extends Provider {
  /** Asks at once whether flags have changed. Never rejects: what comes of it is told by events. */
  refresh(): Promise<void>
}

type State = 'ready' | 'stale' | 'error'

/**
 * A provider for `@openfeature/web-sdk`: a service evaluates all flags that browsers may see for the context of the page, and
 * again when the context changes. Evaluation is then a look into what was answered.
 *
 * Events: `PROVIDER_CONFIGURATION_CHANGED` with the flags that have another value or reason than before; `PROVIDER_STALE` when
 * the service cannot be reached, while the last values stay, with the reason `CACHED`; `PROVIDER_READY` when it can again.
 * Registering fails with `PROVIDER_FATAL` where the service knows no such environment (401, 403, 404). A context that could not be
 * sent leaves the values of the one before, and the provider in error until the service is reached.
 *
 * @throws RangeError for times that are none.
 */
export function createHalyardWebProvider(options: HalyardWebProviderOptions): HalyardWebProvider {
  const { pollMs = 30_000, timeoutMs = 10_000, anonymousKey = randomKey(), hashOf } = options
  if (!(pollMs >= 0)) throw new RangeError('pollMs must be a number of milliseconds, or 0')
  if (!(timeoutMs > 0)) throw new RangeError('timeoutMs must be a positive number of milliseconds')
  const fetchFlags = options.fetch ?? ((...input: Parameters<typeof fetch>) => globalThis.fetch(...input))
  const service = { ...options, timeoutMs, fetch: fetchFlags }
  const events = new OpenFeatureEventEmitter()
  let state: State = 'error'
  let context: EvaluationContext = {}
  let known: ReadFlags | undefined
  /** The request under way. */
  let asking: { readonly abort: AbortController; readonly done: Promise<void> } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let open = false

  /** Asks for the context as it is now; whoever waits for an earlier question waits for this one. */
  function ask(): Promise<void> {
    asking?.abort.abort(superseded)
    const abort = new AbortController()
    const mine = { abort, done: answered(abort.signal) }
    asking = mine
    const end = () => {
      if (asking === mine) asking = undefined
    }
    mine.done.then(end, end)
    return mine.done
  }

  async function answered(signal: AbortSignal): Promise<void> {
    try {
      const read = await readFlags(service, sentContext(context, anonymousKey), hashOf?.(context), known, signal)
      signal.throwIfAborted()
      known = read
    } catch (error) {
      if (signal.reason !== superseded) throw error
      await asking?.done
    }
  }

  function turn(next: State, message?: string): void {
    if (next === state || !open) return
    state = next
    if (next === 'ready') events.emit(ProviderEvents.Ready)
    if (next === 'stale') events.emit(ProviderEvents.Stale, { message })
  }

  async function refresh(): Promise<void> {
    if (!open) return
    // Whoever asks now tells what comes of it.
    if (asking) return asking.done.catch(() => {})
    const [before, asked] = [known, context]
    try {
      await ask()
    } catch (error) {
      // Values of another context are more than stale: that is told where it fails.
      if (state === 'ready' && context === asked) turn('stale', error instanceof Error ? error.message : String(error))
      return
    }
    if (!open || !known || context !== asked) return
    const flagsChanged = before ? differingFlags(before.flags, known.flags) : []
    turn('ready')
    if (flagsChanged.length > 0) events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged })
  }

  function pollLater(): void {
    if (pollMs === 0 || !open) return
    timer = setTimeout(() => refresh().then(pollLater), pollMs)
    // Only Node has something to be kept alive.
    if (typeof timer === 'object') (timer as { unref?(): void }).unref?.()
  }

  async function turnTo(next: EvaluationContext): Promise<void> {
    context = next
    try {
      await ask()
      state = 'ready'
    } catch (error) {
      state = 'error'
      throw error
    }
  }

  function resolve<T>(flagKey: string, fallback: T, type: ValueType<T>): ResolutionDetails<T> {
    if (!known) return failed(fallback, ...failureOf('CLIENT_NOT_READY', flagKey))
    const flag = known.flags.get(flagKey)
    if (!flag) return failed(fallback, ...failureOf('FLAG_NOT_FOUND', flagKey))
    const { value, variation, reason } = flag
    if (reason?.kind === 'ERROR') return failed(fallback, ...failureOf(reason.errorKind, flagKey))
    const split = reason !== undefined && 'inExperiment' in reason && reason.inExperiment === true
    const { kind: _, ...told } = reason ?? { kind: undefined }
    const evaluated = reason ? reasonOf(reason, { split, fixed: false }) : StandardResolutionReasons.UNKNOWN
    const cached = state !== 'ready'
    return resolved(
      {
        value: variation === null ? undefined : value,
        variant: variation === null ? undefined : String(variation),
        reason: cached ? StandardResolutionReasons.CACHED : evaluated,
        flagMetadata: { ...reasonMembers(told), ...(cached ? { cachedReason: evaluated } : {}) },
      },
      fallback,
      type,
    )
  }

  return {
    metadata: { name: 'halyard' },
    runsOn: 'client',
    events: events as CommonProvider<ClientProviderStatus>['events'],
    async initialize(first: EvaluationContext = {}) {
      if (!open) {
        open = true
        pollLater()
      }
      await turnTo(first)
    },
    onContextChange: (_, next) => turnTo(next),
    async onClose() {
      open = false
      clearTimeout(timer)
      asking?.abort.abort(closed)
      state = 'error'
    },
    refresh,
    resolveBooleanEvaluation: (flagKey, fallback) => resolve(flagKey, fallback, booleanType),
    resolveStringEvaluation: (flagKey, fallback) => resolve(flagKey, fallback, stringType),
    resolveNumberEvaluation: (flagKey, fallback) => resolve(flagKey, fallback, numberType),
    resolveObjectEvaluation: (flagKey, fallback) => resolve(flagKey, fallback, jsonType<typeof fallback>()),
  }
}

const superseded = new Error('another context is asked for')
const closed = new Error('the provider was closed')

/** @throws InvalidContextError or TargetingKeyMissingError for what is no context. */
function sentContext(given: EvaluationContext, anonymousKey: string): HalyardContext {
  const mapped = mappedContext(given)
  if ('errorCode' in mapped) {
    const { errorCode, errorMessage } = mapped
    throw errorCode === 'TARGETING_KEY_MISSING'
      ? new TargetingKeyMissingError(errorMessage)
      : new InvalidContextError(errorMessage)
  }
  if (mapped.keyed) return mapped.context
  return { ...(mapped.context.custom as object), kind: 'user', key: anonymousKey, anonymous: true }
}

/** `crypto.randomUUID` is there on pages over https alone. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
