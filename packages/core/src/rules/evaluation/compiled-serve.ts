import { type Bucketing, bucketing, hasContext, placeOf } from './bucket.ts'
import { type Evaluated, type EvaluationReason, malformedFlag } from './evaluated.ts'
import type { FlagData, ServeData } from './flag-data.ts'
import type { Subject } from './subject.ts'

/** What a rule or the default rule serves. */
export interface CompiledServe {
  readonly data: ServeData | null | undefined
  /** Undefined where all contexts get the same. */
  readonly rollout: CompiledRollout | undefined
  outcome(subject: Subject): Evaluated
}

export interface CompiledRollout {
  readonly bucketing: Bucketing
  /** The places below which each share ends, 0 to 1. */
  readonly ends: readonly number[]
}

/** The variations of a flag as outcomes. */
export type OutcomeOf = (variation: unknown, reason: EvaluationReason) => Evaluated

/**
 * Makes ready what is served, with all outcomes made beforehand.
 *
 * @param reason of the outcome; that of an experiment says so.
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
  const hashed = bucketing({
    prefix: typeof rollout.seed === 'number' ? `${rollout.seed}` : `${flag.key}.${flag.salt ?? ''}`,
    bucketBy: isExperiment ? undefined : rollout.bucketBy,
    contextKind: rollout.contextKind,
  })
  if (!hashed.read) return constant(data, malformedFlag)
  const outside = variations.map(({ variation }) => outcomeOf(variation, reason))
  const inside = variations.map(({ variation, untracked }, at) =>
    // Cast: the spread loses which reason it is; only reasons that can be in an experiment come here.
    isExperiment && !untracked ? outcomeOf(variation, { ...reason, inExperiment: true } as never) : outside[at],
  )
  const ends = runningSums(variations.map(({ weight }) => weight / 100_000))
  const last = ends.length - 1
  function outcome(subject: Subject): Evaluated {
    const place = last === 0 ? 0 : placeOf(hashed, subject)
    let at = 0
    // Rounding and weights that come to less than the whole leave places at the end: they are the last one's.
    while (at < last && place >= (ends[at] as number)) at++
    return (isExperiment && hasContext(hashed, subject) ? inside : outside)[at] as Evaluated
  }
  return { data, rollout: { bucketing: hashed, ends }, outcome }
}

function constant(data: ServeData | null | undefined, evaluated: Evaluated): CompiledServe {
  return { data, rollout: undefined, outcome: () => evaluated }
}

/** Added up one by one as SDKs do, so that even the rounding of doubles is theirs. */
function runningSums(parts: readonly number[]): number[] {
  let sum = 0
  return parts.map((part) => (sum += part))
}
