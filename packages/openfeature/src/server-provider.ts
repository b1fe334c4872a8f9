import type { EnvironmentRef, Evaluator, FlagDescription } from '@halyard/core'
import type { Evaluated, EvaluationContext as HalyardContext } from '@halyard/core/evaluation'
import {
  type CommonProvider,
  ErrorCode,
  type EvaluationContext,
  OpenFeatureEventEmitter,
  type Provider,
  ProviderEvents,
  ProviderFatalError,
  type ResolutionDetails,
  type ServerProviderStatus,
} from '@openfeature/server-sdk'
import { flagMetadata } from './flag-metadata.ts'
import { decidingRollout, isFixed, placesByUserKey } from './flag-serving.ts'
import { type AskedContext, mappedContext } from './mapped-context.ts'
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
} from './resolution.ts'

/** How a provider keeps up with what is stored. */
export interface HalyardProviderOptions {
  /**
   * How often is looked whether the flags are still as they are stored, ms; what has changed in a storage that does not
   * tell is read then. 0 for never, where a runtime has no timers. Default: 2,000.
   */
  readonly checkMs?: number
}

/** What is asked of an engine; every engine that was made with evaluators is one. */
export interface EvaluatingEngine {
  evaluator<Flags extends object>(place: EnvironmentRef): Evaluator<Flags>
}

/** Whichever flags a program has declared: here they are keys that somebody asks for. */
type AnyEvaluator = Evaluator<Record<never, never>>

type State = 'ready' | 'stale' | 'error'

/**
 * A provider of the flags of one environment for `@openfeature/server-sdk`. It evaluates in process and reads the
 * environment when it is registered; registering fails where the storage fails, or with `PROVIDER_FATAL` where there is no
 * such environment, and the provider becomes ready by itself once that is over. Where the engine counts evaluations each of
 * the provider's is counted once.
 *
 * Events: `PROVIDER_CONFIGURATION_CHANGED` with the flags that a change concerns; `PROVIDER_STALE` when it cannot be known
 * what is stored, while evaluation goes on by what was; `PROVIDER_READY` when it can again.
 *
 * @throws Error where the engine was made without evaluators.
 * @throws RangeError for a `checkMs` that is no time.
 *
 * @example
 * ```ts
 * import { createHalyardProvider } from '@halyard/openfeature'
 * import { createTestEngine } from '@halyard/testing'
 * import { OpenFeature } from '@openfeature/server-sdk'
 *
 * const engine = await createTestEngine()
 * await engine.given.project('shop')
 * await engine.given.flag('shop', 'checkout')
 * const provider = createHalyardProvider(engine, { projectKey: 'shop', environmentKey: 'production' })
 * await OpenFeature.setProviderAndWait('shop', provider)
 * const client = OpenFeature.getClient('shop')
 * console.log(await client.getBooleanValue('checkout', true, { targetingKey: 'ann' })) // false
 * await OpenFeature.close()
 * ```
 */
export function createHalyardProvider(
  engine: EvaluatingEngine,
  place: EnvironmentRef,
  options?: HalyardProviderOptions,
): Provider
/** The same of an evaluator: `engine.evaluator(place)`. */
export function createHalyardProvider<Flags extends object>(
  evaluator: Evaluator<Flags>,
  options?: HalyardProviderOptions,
): Provider
export function createHalyardProvider<Flags extends object>(
  source: EvaluatingEngine | Evaluator<Flags>,
  ...rest: readonly (EnvironmentRef | HalyardProviderOptions | undefined)[]
): Provider {
  if ('evaluator' in source) {
    const [place, options] = rest as [EnvironmentRef, HalyardProviderOptions?]
    return providerOf(source.evaluator<Record<never, never>>(place), options)
  }
  return providerOf(source, rest[0] as HalyardProviderOptions)
}

function providerOf(evaluator: AnyEvaluator, { checkMs = 2_000 }: HalyardProviderOptions = {}): Provider {
  if (!(checkMs >= 0)) throw new RangeError('checkMs must be a number of milliseconds, or 0')
  const events = new OpenFeatureEventEmitter()
  const following = follow(evaluator, events, checkMs)

  async function resolve<T>(
    flagKey: string,
    fallback: T,
    given: EvaluationContext,
    type: ValueType<T>,
  ): Promise<ResolutionDetails<T>> {
    const mapped = mappedContext(given)
    if ('errorCode' in mapped) return failed(fallback, mapped.errorCode, mapped.errorMessage)
    let evaluated = evaluator.peek(flagKey, mapped.context, undefined)
    if (asksBigSegments(evaluated) && following.state() === 'ready') {
      // What cannot be looked up is told by the reason.
      await evaluator.lookUpBigSegments(mapped.context).catch(() => {})
      evaluated = evaluator.peek(flagKey, mapped.context, undefined)
    }
    const resolution = resolutionOf(flagKey, fallback, mapped, evaluated, type)
    evaluator.count(flagKey, resolution.errorCode === undefined ? evaluated.variationIndex : null)
    return resolution
  }

  function resolutionOf<T>(
    flagKey: string,
    fallback: T,
    { context, keyed }: AskedContext,
    { value, variationIndex, reason }: Evaluated,
    type: ValueType<T>,
  ): ResolutionDetails<T> {
    if (reason.kind === 'ERROR') return failed(fallback, ...failureOf(reason.errorKind, flagKey))
    const described = evaluator.describe(flagKey) as FlagDescription
    if (!keyed && needsKey(evaluator, flagKey, context)) {
      const message = `flag ${flagKey} is rolled out by keys, and the context has no targeting key`
      return failed(fallback, ErrorCode.TARGETING_KEY_MISSING, message)
    }
    const { data, variationNames } = described
    const split = decidingRollout(reason, data) !== undefined
    const variant = variationIndex === null ? undefined : (variationNames[variationIndex] ?? String(variationIndex))
    return resolved(
      {
        value,
        variant,
        reason: reasonOf(reason, { split, fixed: isFixed(data) }),
        flagMetadata: flagMetadata(described, reason),
      },
      fallback,
      type,
    )
  }

  return {
    metadata: { name: 'halyard' },
    runsOn: 'server',
    events: events as CommonProvider<ServerProviderStatus>['events'],
    initialize: following.begin,
    onClose: following.end,
    resolveBooleanEvaluation: (flagKey, fallback, context) => resolve(flagKey, fallback, context, booleanType),
    resolveStringEvaluation: (flagKey, fallback, context) => resolve(flagKey, fallback, context, stringType),
    resolveNumberEvaluation: (flagKey, fallback, context) => resolve(flagKey, fallback, context, numberType),
    resolveObjectEvaluation: (flagKey, fallback, context) =>
      resolve(flagKey, fallback, context, jsonType<typeof fallback>()),
  }
}

/** Whether a flag stands on big segments that nobody has looked into since they changed. */
function asksBigSegments({ reason: { bigSegmentsStatus } }: Evaluated): boolean {
  return bigSegmentsStatus !== undefined && bigSegmentsStatus !== 'HEALTHY'
}

/** Whether a flag, or one that it stands on, came to its value by placing a user's key. */
function needsKey(
  evaluator: AnyEvaluator,
  flagKey: string,
  context: HalyardContext,
  seen = new Set<string>(),
): boolean {
  if (seen.has(flagKey)) return false
  seen.add(flagKey)
  const data = evaluator.describe(flagKey)?.data
  if (!data?.on) return false
  const rollout = decidingRollout(evaluator.peek(flagKey, context, undefined).reason, data)
  if (rollout && placesByUserKey(rollout)) return true
  return (data.prerequisites ?? []).some(({ key }) => needsKey(evaluator, key, context, seen))
}

/** Tells what becomes of an evaluator. */
function follow(evaluator: AnyEvaluator, events: OpenFeatureEventEmitter, checkMs: number) {
  let state: State = 'error'
  let timer: ReturnType<typeof setInterval> | undefined
  let unlisten: (() => void) | undefined
  let checking = false

  function turn(next: State, error?: unknown): void {
    if (next === state || !unlisten) return
    state = next
    const message = messageOf(error)
    if (next === 'ready') events.emit(ProviderEvents.Ready)
    if (next === 'stale') events.emit(ProviderEvents.Stale, { message })
    if (next === 'error') {
      const errorCode = isOfNoEnvironment(error) ? ErrorCode.PROVIDER_FATAL : ErrorCode.GENERAL
      events.emit(ProviderEvents.Error, { message, errorCode })
    }
  }

  async function check(): Promise<void> {
    if (checking) return
    checking = true
    try {
      if (!evaluator.current) await evaluator.ready()
      turn('ready')
    } catch (error) {
      turn(evaluator.ruleset ? 'stale' : 'error', error)
    } finally {
      checking = false
    }
  }

  return {
    state: () => state,
    async begin(): Promise<void> {
      unlisten ??= evaluator.onChange((flagKeys) => {
        events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged: [...flagKeys] })
      })
      if (checkMs > 0) {
        timer ??= setInterval(check, checkMs)
        // Nobody waits for it. Where timers are numbers nothing is kept alive by them.
        if (typeof timer === 'object') timer.unref?.()
      }
      // The SDK tells what comes of it.
      await evaluator.ready().catch((error) => {
        throw isOfNoEnvironment(error) ? new ProviderFatalError(messageOf(error)) : error
      })
      state = 'ready'
    },
    async end(): Promise<void> {
      clearInterval(timer)
      unlisten?.()
      timer = undefined
      unlisten = undefined
      state = 'error'
    },
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error ?? '')
}

/** No patience helps against a wrong key. */
function isOfNoEnvironment(error: unknown): boolean {
  return (error as { readonly code?: unknown } | undefined)?.code === 'not_found'
}
