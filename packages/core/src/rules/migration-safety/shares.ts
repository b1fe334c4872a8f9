import { jsonEqual } from '../json-equal.ts'
import { type Serve, wholeWeight } from '../targeting/serve.ts'
import type { MigrationStage } from './stages.ts'

/** The stages that a cohort serves, and to which part of its contexts each. */
export interface Shares {
  /** How a context's place is drawn; contexts keep their places from one rollout to another that draws alike. */
  readonly draw: string
  readonly spans: readonly Span[]
  /** Whether some contexts can be off whatever they drew, because a prerequisite is not met. */
  readonly maybeOff: boolean
}

/** A part of the places that can be drawn: from `from`, up to but not including `to`, of {@link wholeWeight}. */
interface Span {
  readonly stage: MigrationStage
  readonly from: number
  readonly to: number
}

/** From which stage to which other one a context can have gone. */
export interface StageChange {
  readonly from: MigrationStage
  readonly to: MigrationStage
}

/** What is served where the flag is off. */
export const allOff: Shares = { draw: '', spans: [{ stage: 'off', from: 0, to: wholeWeight }], maybeOff: false }

/**
 * The stages that are served, those without weight left out.
 *
 * @param stages of the migration, in the order of its variations.
 */
export function sharesOf({ variation, rollout }: Serve, stages: readonly MigrationStage[], maybeOff: boolean): Shares {
  const weights = rollout?.variations ?? [{ variation: variation as number, weight: wholeWeight }]
  const spans: Span[] = []
  let from = 0
  for (const one of weights) {
    const to = from + one.weight
    if (one.weight > 0) spans.push({ stage: stages[one.variation] as MigrationStage, from, to })
    from = to
  }
  return { draw: JSON.stringify([rollout?.contextKind, rollout?.bucketBy ?? 'key']), spans, maybeOff }
}

/** Whether contexts are served the same, except for what prerequisites do. */
export function sameShares(a: Shares, b: Shares): boolean {
  return a.draw === b.draw && jsonEqual(a.spans, b.spans)
}

/**
 * The stages between which a context can have gone that was served the one and is now served the other.
 *
 * Where both draw alike a context keeps its place, so only stages that share places meet; otherwise any two can.
 */
export function stageChanges(before: Shares, after: Shares): StageChange[] {
  const placed = before.draw === after.draw
  const changes = before.spans.flatMap((was) =>
    after.spans
      .filter((is) => !placed || (was.from < is.to && is.from < was.to))
      .map((is): StageChange => ({ from: was.stage, to: is.stage })),
  )
  if (before.maybeOff) changes.push(...after.spans.map(({ stage }): StageChange => ({ from: 'off', to: stage })))
  if (after.maybeOff) changes.push(...before.spans.map(({ stage }): StageChange => ({ from: stage, to: 'off' })))
  return changes.filter(({ from, to }) => from !== to)
}
