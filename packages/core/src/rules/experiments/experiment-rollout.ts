import { type Rollout, type RolloutShare, wholeWeight } from '../targeting/serve.ts'

/** Weight of 1 percent, in thousandths of a percent. */
const percentWeight = wholeWeight / 100

/** A variation and its share of the contexts of an experiment. */
export interface Allocation {
  /** Index of the variation. */
  readonly variation: number
  /** Percent of the contexts that are reserved for the experiment, 0 to 100, with at most three decimals. */
  readonly percent: number
}

/** The contexts among which an experiment distributes its treatments. */
export interface ExperimentTraffic {
  /** The sum of their percentages is at most 100. */
  readonly allocations: readonly Allocation[]
  /** Variation of all contexts that are not in the experiment. */
  readonly otherVariation: number
  /** Hundredths of the contexts that are reserved for the experiment: 0 to 99, in ascending order. */
  readonly buckets: readonly number[]
  readonly seed: number
  readonly contextKind: string
}

/**
 * A part of the reserved contexts that receives one variation: `start` (inclusive) to `end` (exclusive), between 0 and
 * the total weight of the reserved buckets.
 */
interface Range extends Omit<RolloutShare, 'weight'> {
  readonly start: number
  readonly end: number
}

/**
 * Returns the rollout that serves an experiment.
 *
 * Each treatment has a part of the reserved contexts that is proportional to its percentage. The experiment counts the
 * first contexts of the part. When all percentages grow by the same factor, the parts keep their positions, so that
 * each context stays in its variation.
 */
export function experimentRollout({
  allocations,
  otherVariation,
  buckets,
  seed,
  contextKind,
}: ExperimentTraffic): Rollout {
  const ranges = rangesOf(allocations, otherVariation, buckets.length * percentWeight)
  const others = { variation: otherVariation, untracked: true } as const
  const reserved = new Map(buckets.map((bucket, index) => [bucket, index * percentWeight]))
  const shares = Array.from({ length: wholeWeight / percentWeight }, (_, bucket): readonly RolloutShare[] => {
    const start = reserved.get(bucket)
    return start === undefined ? [{ ...others, weight: percentWeight }] : sharesWithin(ranges, start)
  })
  return { kind: 'experiment', seed, variations: joined(shares.flat()), contextKind }
}

/**
 * Returns a rollout that counts the same contexts as the given rollout, and serves one variation to all of them.
 *
 * @param variation index of the variation.
 */
export function withOneVariation(rollout: Rollout, variation: number): Rollout {
  return { ...rollout, variations: joined(rollout.variations.map((share) => ({ ...share, variation }))) }
}

/**
 * Divides the reserved contexts into ranges: for each treatment the contexts that the experiment counts, and the other
 * contexts of its part.
 */
function rangesOf(allocations: readonly Allocation[], otherVariation: number, total: number): Range[] {
  const sum = allocations.reduce((all, { percent }) => all + percent, 0)
  let before = 0
  return allocations.flatMap(({ variation, percent }): Range[] => {
    const start = Math.round((total * before) / sum)
    before += percent
    const end = Math.round((total * before) / sum)
    const counted = Math.min(end, start + Math.round((total * percent) / 100))
    return [
      { variation, start, end: counted },
      { variation: otherVariation, untracked: true, start: counted, end },
    ]
  })
}

/** Returns the parts of the ranges within one bucket. */
function sharesWithin(ranges: readonly Range[], bucketStart: number): RolloutShare[] {
  return ranges.flatMap(({ start, end, ...share }) => {
    const weight = Math.min(end, bucketStart + percentWeight) - Math.max(start, bucketStart)
    return weight > 0 ? [{ ...share, weight }] : []
  })
}

/** Joins adjacent shares of the same contexts. */
function joined(shares: readonly RolloutShare[]): RolloutShare[] {
  const result: RolloutShare[] = []
  for (const share of shares) {
    const last = result.at(-1)
    if (last?.variation === share.variation && last.untracked === share.untracked) {
      result[result.length - 1] = { ...last, weight: last.weight + share.weight }
    } else result.push(share)
  }
  return result
}
