import {
  type ClientProviderStatus,
  type CommonProvider,
  type EvaluationContext,
  OpenFeatureEventEmitter,
  type Provider,
  type ResolutionDetails,
  StandardResolutionReasons,
} from '@openfeature/web-sdk'
import { reasonMetadata } from '../flag-metadata.ts'
import { requireInterval } from '../polling.ts'
import { describeError, errorDetails, resolutionDetails, resolutionReason } from '../resolution.ts'
import { typedResolvers, type ValueType } from '../typed-resolvers.ts'
import type { EventSourceConstructor } from './change-stream.ts'
import type { EvaluatedFlag } from './evaluated-flags.ts'
import { PageSession } from './page-session.ts'

/** Options of a provider for browsers. */
export interface HalyardWebProviderOptions {
  /**
   * URL of the service that evaluates the flags, e.g. `https://flags.example.test`; `''` for the origin of the page.
   */
  readonly baseUrl: string
  /** Client-side id of the environment: its `_id`. */
  readonly environmentId: string
  /** Interval between two requests for changes, ms; 0 for no polling. Default: 30,000. */
  readonly pollMs?: number
  /**
   * True to also receive the values through a stream after each change, so that they are visible immediately. Polling
   * continues, because a proxy can hold messages back. Default: false.
   */
  readonly stream?: boolean
  /** Default: the `EventSource` of the platform. */
  readonly EventSource?: EventSourceConstructor
  /** Time limit of a request, ms. Default: 10,000. */
  readonly timeoutMs?: number
  /** Default: the `fetch` of the platform. */
  readonly fetch?: typeof fetch
  /** Key of contexts without one; they are sent as anonymous. Default: a random key for each provider. */
  readonly anonymousKey?: string
  /** Returns the hash that proves a context, for environments in secure mode. Default: no hash is sent. */
  readonly hashOf?: (context: EvaluationContext) => string | undefined
}

/** A provider for browsers. */
export interface HalyardWebProvider extends Provider {
  /** Requests changes now. Never rejects: the provider emits an event for each result. */
  refresh(): Promise<void>
}

/**
 * Creates a provider for `@openfeature/web-sdk`. A service evaluates all flags that browsers may read, for the context
 * of the page, and again when the context changes. The provider resolves flags from the last response.
 *
 * It emits `PROVIDER_CONFIGURATION_CHANGED` with the flags whose value or reason changed, `PROVIDER_STALE` when the
 * service does not respond, and `PROVIDER_READY` when it responds again. While the provider is stale, it resolves the
 * last known values with the reason `CACHED`. Registration fails with `PROVIDER_FATAL` when the service responds with
 * 401, 403 or 404. When the service does not respond for a new context, the provider is in status error and resolves
 * the values of the previous context until it responds.
 *
 * @throws RangeError when `pollMs` or `timeoutMs` is not a number of milliseconds; TypeError when `stream` is true and
 *   the platform has no `EventSource`.
 */
export function createHalyardWebProvider(options: HalyardWebProviderOptions): HalyardWebProvider {
  const events = new OpenFeatureEventEmitter()
  const session = createSession(options, events)

  function resolve<T>(flagKey: string, defaultValue: T, type: ValueType<T>): ResolutionDetails<T> {
    if (!session.flags) return errorDetails(defaultValue, ...describeError('CLIENT_NOT_READY', flagKey))
    const flag = session.flags.get(flagKey)
    if (!flag) return errorDetails(defaultValue, ...describeError('FLAG_NOT_FOUND', flagKey))
    return resolveFlag(flagKey, flag, session.status === 'ready', { defaultValue, type })
  }

  return {
    metadata: { name: 'halyard' },
    runsOn: 'client',
    events: events as CommonProvider<ClientProviderStatus>['events'],
    initialize: (context = {}) => session.start(context),
    onContextChange: (_, context) => session.changeContext(context),
    onClose: async () => session.close(),
    refresh: () => session.refresh(),
    ...typedResolvers<false>(resolve),
  }
}

function createSession(options: HalyardWebProviderOptions, events: OpenFeatureEventEmitter): PageSession {
  const { baseUrl, environmentId, pollMs = 30_000, timeoutMs = 10_000 } = options
  const { stream = false, EventSource = globalThis.EventSource } = options
  const { fetch = (...request) => globalThis.fetch(...request) } = options
  const { anonymousKey = randomKey(), hashOf = () => undefined } = options
  requireInterval('pollMs', pollMs)
  if (!(timeoutMs > 0)) throw new RangeError('`timeoutMs` must be a positive number of milliseconds')
  if (stream && !EventSource) throw new TypeError('`stream` needs an `EventSource`, which this platform lacks')
  const service = { baseUrl, environmentId, fetch, timeoutMs }
  const streams = stream ? EventSource : undefined
  return new PageSession({ service, pollMs, EventSource: streams, anonymousKey, hashOf }, events)
}

/** The default of the caller, and the type of the value. */
interface ExpectedValue<T> {
  readonly defaultValue: T
  readonly type: ValueType<T>
}

function resolveFlag<T>(
  flagKey: string,
  { value, variation, reason }: EvaluatedFlag,
  isCurrent: boolean,
  { defaultValue, type }: ExpectedValue<T>,
): ResolutionDetails<T> {
  if (reason?.kind === 'ERROR') return errorDetails(defaultValue, ...describeError(reason.errorKind, flagKey))
  // The response contains no rollouts, so only the reason of an experiment shows that contexts are split.
  const isSplit = reason !== undefined && 'inExperiment' in reason && reason.inExperiment === true
  const standardReason = reason
    ? resolutionReason(reason, { isSplit, isStatic: false })
    : StandardResolutionReasons.UNKNOWN
  const metadata = reason ? reasonMetadata(reason) : {}
  const evaluation = {
    value: variation === null ? undefined : value,
    variant: variation === null ? undefined : String(variation),
    reason: isCurrent ? standardReason : StandardResolutionReasons.CACHED,
    flagMetadata: isCurrent ? metadata : { ...metadata, cachedReason: standardReason },
  }
  return resolutionDetails(evaluation, defaultValue, type)
}

/** Pages over http have no `crypto.randomUUID`. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
