import { jsonEqual } from '../json-equal.ts'
import { type Serve, wholeWeight } from '../targeting/serve.ts'
import type { MigrationStage } from './stages.ts'

/** Stages that a cohort serves, with the percentage of its contexts for each. */
export interface Shares {
  /**
   * Context kind and attribute by which buckets are assigned; contexts keep their buckets in all rollouts with the same
   * bucketing.
   */
  readonly bucketing: string
  readonly spans: readonly Span[]
  /** True if some contexts can be off regardless of their bucket, because a prerequisite is not met. */
  readonly maybeOff: boolean
}

/** A range of buckets: from `from`, inclusive, to `to`, exclusive, of {@link wholeWeight}. */
interface Span {
  readonly stage: MigrationStage
  readonly from: number
  readonly to: number
}

/** A possible change of the stage of a context. */
export interface StageChange {
  readonly from: MigrationStage
  readonly to: MigrationStage
}

/** Shares of a flag that is off. */
export const allOff: Shares = { bucketing: '', spans: [{ stage: 'off', from: 0, to: wholeWeight }], maybeOff: false }

/**
 * Returns the served stages, without those that have no weight.
 *
 * @param stages stages of the migration, in the order of its variations.
 */
export function sharesOf({ variation, rollout }: Serve, stages: readonly MigrationStage[], maybeOff: boolean): Shares {
  const weights = rollout?.variations ?? [{ variation: variation as number, weight: wholeWeight }]
  const spans: Span[] = []
  let from = 0
  for (const entry of weights) {
    const to = from + entry.weight
    if (entry.weight > 0) spans.push({ stage: stages[entry.variation] as MigrationStage, from, to })
    from = to
  }
  return { bucketing: JSON.stringify([rollout?.contextKind, rollout?.bucketBy ?? 'key']), spans, maybeOff }
}

/** Returns true if both shares serve the same stages to the same contexts, apart from the effect of prerequisites. */
export function sameShares(a: Shares, b: Shares): boolean {
  return a.bucketing === b.bucketing && jsonEqual(a.spans, b.spans)
}

/**
 * Returns the possible changes of stage between two shares.
 *
 * If both have the same bucketing, a context keeps its bucket, so only stages with common buckets are combined;
 * otherwise any two are possible.
 */
export function stageChanges(before: Shares, after: Shares): StageChange[] {
  const hasSameBucketing = before.bucketing === after.bucketing
  const changes = before.spans.flatMap((oldSpan) =>
    after.spans
      .filter((newSpan) => !hasSameBucketing || (oldSpan.from < newSpan.to && newSpan.from < oldSpan.to))
      .map((newSpan): StageChange => ({ from: oldSpan.stage, to: newSpan.stage })),
  )
  if (before.maybeOff) changes.push(...after.spans.map(({ stage }): StageChange => ({ from: 'off', to: stage })))
  if (after.maybeOff) changes.push(...before.spans.map(({ stage }): StageChange => ({ from: stage, to: 'off' })))
  return changes.filter(({ from, to }) => from !== to)
}
