import type { EnvironmentRef, Evaluator } from '@halyard/core'
import type { EvaluationResult } from '@halyard/core/evaluation'
import {
  type CommonProvider,
  type EvaluationContext,
  OpenFeatureEventEmitter,
  type Provider,
  type ResolutionDetails,
  type ServerProviderStatus,
} from '@openfeature/server-sdk'
import { describeEvaluation } from './describe-evaluation.ts'
import { type AnyEvaluator, EvaluatorMonitor } from './evaluator-monitor.ts'
import { mapContext } from './map-context.ts'
import { requireInterval } from './polling.ts'
import { errorDetails, resolutionDetails } from './resolution.ts'
import { typedResolvers, type ValueType } from './typed-resolvers.ts'

/** Options of a provider for servers. */
export interface HalyardProviderOptions {
  /**
   * Interval between two checks that the flags are current, ms. A check reads the changes of a storage that does not
   * emit change events. 0 for no checks, for runtimes without timers. Default: 2,000.
   */
  readonly checkMs?: number
}

/** The function of an engine that a provider calls. Every engine with evaluators has it. */
export interface EvaluatingEngine {
  evaluator<Flags extends object>(environment: EnvironmentRef): Evaluator<Flags>
}

/**
 * Creates a provider of the flags of one environment for `@openfeature/server-sdk`. It evaluates in process. It loads
 * the environment when it is registered. Registration fails when the storage fails, and fails with `PROVIDER_FATAL`
 * when the environment does not exist; in both cases the provider becomes ready as soon as it can load the environment.
 * An engine that counts evaluations counts each evaluation of the provider once.
 *
 * An evaluation that is part of an experiment is recorded as an exposure, and `track` adds an event to the metrics of
 * the engine. An event without a valid context is dropped, which the client of OpenFeature logs.
 *
 * It emits `PROVIDER_CONFIGURATION_CHANGED` with the flags that a change affects, `PROVIDER_STALE` when it cannot read
 * the storage and continues with the last known flags, and `PROVIDER_READY` when it can read the storage again.
 *
 * @throws Error when the engine has no evaluators.
 * @throws RangeError when `checkMs` is negative or not a number.
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
  environment: EnvironmentRef,
  options?: HalyardProviderOptions,
): Provider
/** Creates a provider of the flags of an evaluator, which `engine.evaluator` returns. */
export function createHalyardProvider<Flags extends object>(
  evaluator: Evaluator<Flags>,
  options?: HalyardProviderOptions,
): Provider
export function createHalyardProvider<Flags extends object>(
  source: EvaluatingEngine | Evaluator<Flags>,
  ...rest: readonly (EnvironmentRef | HalyardProviderOptions | undefined)[]
): Provider {
  if ('evaluator' in source) {
    const [environment, options] = rest as [EnvironmentRef, HalyardProviderOptions?]
    return createProvider(source.evaluator<Record<never, never>>(environment), options)
  }
  return createProvider(source, rest[0] as HalyardProviderOptions)
}

function createProvider(evaluator: AnyEvaluator, { checkMs = 2_000 }: HalyardProviderOptions = {}): Provider {
  requireInterval('checkMs', checkMs)
  const events = new OpenFeatureEventEmitter()
  const monitor = new EvaluatorMonitor(evaluator, events, checkMs)

  async function resolve<T>(
    flagKey: string,
    defaultValue: T,
    type: ValueType<T>,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<T>> {
    const mapped = mapContext(context)
    if ('errorCode' in mapped) return errorDetails(defaultValue, mapped.errorCode, mapped.errorMessage)
    let evaluated = evaluator.peek(flagKey, mapped.context, undefined)
    if (needsBigSegments(evaluated) && monitor.status === 'ready') {
      // When the lookup fails, the reason of the second evaluation has the status of big segments.
      await evaluator.lookUpBigSegments(mapped.context).catch(() => {})
      evaluated = evaluator.peek(flagKey, mapped.context, undefined)
    }
    const details = resolutionDetails(describeEvaluation(evaluator, flagKey, mapped, evaluated), defaultValue, type)
    const isServed = details.errorCode === undefined
    const exposure = isServed ? { context: mapped.context, result: evaluated } : undefined
    evaluator.count(flagKey, isServed ? evaluated.variationIndex : null, exposure)
    return details
  }

  return {
    metadata: { name: 'halyard' },
    runsOn: 'server',
    events: events as CommonProvider<ServerProviderStatus>['events'],
    initialize: () => monitor.start(),
    onClose: async () => monitor.stop(),
    track(name, context, { value, ...data } = {}) {
      const mapped = mapContext(context)
      if ('errorCode' in mapped) throw new Error(mapped.errorMessage)
      if (!mapped.hasKey) throw new Error('`targetingKey` must be given to track an event')
      evaluator.track(name, mapped.context, {
        ...(value === undefined ? {} : { value }),
        ...(Object.keys(data).length > 0 ? { data } : {}),
      })
    },
    ...typedResolvers<true>(resolve),
  }
}

/** Returns true when an evaluation depends on big segments that the engine has not looked up since they changed. */
function needsBigSegments({ reason: { bigSegmentsStatus } }: EvaluationResult): boolean {
  return bigSegmentsStatus !== undefined && bigSegmentsStatus !== 'HEALTHY'
}
