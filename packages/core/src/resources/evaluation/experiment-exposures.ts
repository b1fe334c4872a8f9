import type { EvaluationContext, EvaluationResult, Ruleset } from '../../rules/evaluation/index.ts'
import { experimentPlaceOf, type FeatureEvent, keysOfContext } from '../../rules/sdk-protocol/sdk-events.ts'
import type { EnvironmentKeys } from './environment-content.ts'

/** Receives what a program does with the flags of an environment. */
export interface EventSink {
  /** Adds an evaluation that was part of an experiment. */
  expose(keys: EnvironmentKeys, exposure: FeatureEvent): void
  /** @throws ApiError `invalid_request` naming `key`, `context` or `value`. */
  track(keys: EnvironmentKeys, event: TrackedInput): void
}

/** An event that a program tracks for a context. */
export interface TrackedInput {
  readonly key: string
  readonly context: EvaluationContext
  readonly value?: number
  readonly data?: unknown
}

/** Reports the evaluations in this process that are part of an experiment. */
export interface ExperimentExposures {
  /** Reports an evaluation, if it is part of an experiment and was not reported for the same context recently. */
  add(ruleset: Ruleset | undefined, flagKey: string, context: EvaluationContext, result: EvaluationResult): void
}

/** Maximum number of exposures that are known to be reported; then the engine clears them. */
const maxKnown = 50_000

/** Time after which an exposure is reported again, so that one that was lost is made up for, in ms. */
const reportAgainMs = 10 * 60 * 1000

/**
 * Makes the reporter of one environment. An exposure is reported again after each change of the environment, because a
 * new experiment may have started.
 *
 * @param report receives each exposure.
 * @param now returns the time: integer ms, UTC.
 */
export function experimentExposures(report: (exposure: FeatureEvent) => void, now: () => number): ExperimentExposures {
  let known = new Set<string>()
  let knownIn: Ruleset | undefined
  let knownSince = 0
  return {
    add(ruleset, flagKey, context, { value, variationIndex, reason }) {
      const { experimentPlace } = experimentPlaceOf(reason)
      const contextKeys = experimentPlace === undefined ? undefined : keysOfContext(context)
      if (experimentPlace === undefined || !contextKeys) return
      const at = now()
      if (ruleset !== knownIn || at >= knownSince + reportAgainMs || known.size >= maxKnown) {
        known = new Set()
        knownIn = ruleset
        knownSince = at
      }
      const name = JSON.stringify([flagKey, variationIndex, experimentPlace, contextKeys])
      if (known.has(name)) return
      known.add(name)
      const version = ruleset?.flags.get(flagKey)?.data.version ?? 0
      const evaluation = { flagKey, version, variation: variationIndex, value, experimentPlace }
      report({ kind: 'feature', at, ...evaluation, contextKeys, context, uncounted: true })
    },
  }
}
