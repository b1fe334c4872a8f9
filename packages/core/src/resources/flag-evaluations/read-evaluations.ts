import { evaluationHours, fallbackServed, hoursKeptMs } from '../../models/flag-evaluations/flag-evaluation.ts'
import type { Reader } from '../../storage/reader.ts'

/** Which evaluations are asked for. */
export interface EvaluationsQuestion {
  readonly projectKey: string
  readonly environmentKey: string
  readonly flagKey: string
  /** Integer ms, UTC, inclusive. Default: all that is kept. */
  readonly from?: number
  /** Integer ms, UTC, exclusive. Default: all that is kept. */
  readonly to?: number
}

/** How often a flag was evaluated to a variation in one hour. */
export interface CountedEvaluations {
  /** When the hour began: integer ms, UTC. */
  readonly from: number
  /** Index of the variation; null where callers got their own default. */
  readonly variation: number | null
  readonly count: number
}

/** Counts by hour and variation, earlier ones first; hours in which there was nothing are not among them. */
export async function readEvaluations(
  tx: Reader,
  { from, to, ...keys }: EvaluationsQuestion,
): Promise<CountedEvaluations[]> {
  const { items } = await tx.list(evaluationHours, keys, {
    where: [{ op: 'range', field: 'from', from, to }],
    order: [{ field: 'from', type: 'number' }],
    limit: 2 * (hoursKeptMs / (60 * 60 * 1000)),
  })
  return items.flatMap((hour) =>
    Object.entries(hour.counts)
      .map(([name, count]) => ({
        from: hour.from,
        variation: name === fallbackServed ? null : Number(name),
        count,
      }))
      .sort((a, b) => (a.variation ?? -1) - (b.variation ?? -1)),
  )
}
