import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import type { EvaluationContext, EvaluationResult, Ruleset } from '../../rules/evaluation/index.ts'
import { tracksEvaluation } from '../../rules/sdk-protocol/client-flags.ts'
import { experimentPlaceOf, type FeatureEvent, keysOfContext } from '../../rules/sdk-protocol/sdk-events.ts'

/** Receives evaluations and events of a program for an environment. */
export interface EventSink {
  /** Adds an evaluation that is part of an experiment or that a flag tracks. */
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

/**
 * Reports the evaluations in this process that are part of an experiment, and those of flags and rules with
 * `trackEvents`.
 */
export interface ExperimentExposures {
  /**
   * Reports an evaluation, if it is part of an experiment and was not reported for the same context recently. When the
   * flag or the rule has `trackEvents`, every evaluation is reported, as SDKs do, so that destinations get it.
   */
  add(ruleset: Ruleset | undefined, flagKey: string, context: EvaluationContext, result: EvaluationResult): void
}

/**
 * Maximum number of reported exposures that are kept in memory. When it is reached, all of them are removed, so they
 * can be reported again.
 */
const maxKnown = 50_000

/** Time after which an exposure is reported again, in ms, because a report can be lost. */
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

  function isNew(ruleset: Ruleset | undefined, exposure: readonly unknown[], at: number): boolean {
    if (ruleset !== knownIn || at >= knownSince + reportAgainMs || known.size >= maxKnown) {
      known = new Set()
      knownIn = ruleset
      knownSince = at
    }
    const name = JSON.stringify(exposure)
    if (known.has(name)) return false
    known.add(name)
    return true
  }

  return {
    add(ruleset, flagKey, context, { value, variationIndex, reason }) {
      const data = ruleset?.flags.get(flagKey)?.data
      const tracks = data !== undefined && tracksEvaluation(data, reason)
      // Nearly all evaluations end here, so the code above allocates nothing.
      if (!tracks && !('inExperiment' in reason)) return
      const { experimentPlace } = experimentPlaceOf(reason)
      const contextKeys = keysOfContext(context)
      if (!contextKeys) return
      const at = now()
      const exposes =
        experimentPlace !== undefined && isNew(ruleset, [flagKey, variationIndex, experimentPlace, contextKeys], at)
      if (!exposes && !tracks) return
      const evaluation = { flagKey, version: data?.version ?? 0, variation: variationIndex, value }
      const place = exposes ? { experimentPlace } : {}
      report({ kind: 'feature', at, ...evaluation, ...place, contextKeys, context, uncounted: true })
    },
  }
}
