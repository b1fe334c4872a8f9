import { type Bucketing, bucketing, bucketValueOf, hasContext } from './bucket.ts'
import { type EvaluationReason, type EvaluationResult, malformedFlag } from './evaluation-result.ts'
import type { FlagData, ServeData } from './flag-data.ts'
import type { Subject } from './subject.ts'

/** The variation or rollout that a rule or the default rule serves, prepared for evaluation. */
export interface CompiledServe {
  readonly data: ServeData | null | undefined
  /** Undefined if all contexts get the same variation. */
  readonly rollout: CompiledRollout | undefined
  outcome(subject: Subject): EvaluationResult
}

export interface CompiledRollout {
  readonly bucketing: Bucketing
  /** Upper bound of each variation's range, 0 to 1. */
  readonly ends: readonly number[]
}

/** Returns the outcome of a variation of the flag. */
export type OutcomeOf = (variation: unknown, reason: EvaluationReason) => EvaluationResult

/**
 * Prepares a variation or rollout for evaluation; all outcomes are created in advance.
 *
 * @param reason reason of the outcomes; outcomes in an experiment add `inExperiment`.
 */
export function compileServe(
  flag: Pick<FlagData, 'key' | 'salt'>,
  data: ServeData | null | undefined,
  reason: EvaluationReason,
  outcomeOf: OutcomeOf,
): CompiledServe {
  if (typeof data?.variation === 'number') return constant(data, outcomeOf(data.variation, reason))
  const rollout = data?.rollout
  const variations = rollout?.variations ?? []
  if (!rollout || variations.length === 0) return constant(data, malformedFlag)
  const isExperiment = rollout.kind === 'experiment'
  const buckets = bucketing({
    prefix: typeof rollout.seed === 'number' ? `${rollout.seed}` : `${flag.key}.${flag.salt ?? ''}`,
    bucketBy: isExperiment ? undefined : rollout.bucketBy,
    contextKind: rollout.contextKind,
  })
  if (!buckets.read) return constant(data, malformedFlag)
  const plainOutcomes = variations.map(({ variation }) => outcomeOf(variation, reason))
  // Cast: the type of the spread omits the kind of the reason; only reasons of experiments reach this line.
  const experimentReason = { ...reason, inExperiment: true } as never
  const experimentOutcomes = variations.map(({ variation, untracked }, index) =>
    isExperiment && !untracked ? outcomeOf(variation, experimentReason) : plainOutcomes[index],
  )
  const ends = runningSums(variations.map(({ weight }) => weight / 100_000))
  const last = ends.length - 1
  function outcome(subject: Subject): EvaluationResult {
    const bucketValue = last === 0 ? 0 : bucketValueOf(buckets, subject)
    let index = 0
    // Rounding, or weights whose sum is too small, leave a range at the end without a variation. The last variation
    // gets it.
    while (index < last && bucketValue >= (ends[index] as number)) index++
    return (isExperiment && hasContext(buckets, subject) ? experimentOutcomes : plainOutcomes)[
      index
    ] as EvaluationResult
  }
  return { data, rollout: { bucketing: buckets, ends }, outcome }
}

function constant(data: ServeData | null | undefined, result: EvaluationResult): CompiledServe {
  return { data, rollout: undefined, outcome: () => result }
}

/** Returns running sums, added one by one as SDKs do, so that the rounding of doubles is the same. */
function runningSums(parts: readonly number[]): number[] {
  let sum = 0
  return parts.map((part) => (sum += part))
}
