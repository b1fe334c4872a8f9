import { evaluationHours, fallbackName, hourRetentionMs } from '../../models/flag-evaluations/flag-evaluation.ts'
import type { Reader } from '../../storage/reader.ts'

/** Query of evaluation counts. */
export interface EvaluationsQuery {
  readonly projectKey: string
  readonly environmentKey: string
  readonly flagKey: string
  /** Start of the range, inclusive: integer ms, UTC. Default: the oldest stored count. */
  readonly from?: number
  /** End of the range, exclusive: integer ms, UTC. Default: the newest stored count is included. */
  readonly to?: number
}

/** Number of evaluations of a flag to a variation in one hour. */
export interface EvaluationCount {
  /** Start of the hour: integer ms, UTC. */
  readonly from: number
  /** Index of the variation; null for evaluations with the caller's default. */
  readonly variation: number | null
  readonly count: number
}

/** Returns the counts by hour and variation, oldest first. Hours without evaluations are omitted. */
export async function readEvaluations(tx: Reader, { from, to, ...keys }: EvaluationsQuery): Promise<EvaluationCount[]> {
  const { items } = await tx.list(evaluationHours, keys, {
    where: [{ op: 'range', field: 'from', from, to }],
    order: [{ field: 'from', type: 'number' }],
    limit: 2 * (hourRetentionMs / (60 * 60 * 1000)),
  })
  return items.flatMap((hour) =>
    Object.entries(hour.counts)
      .map(([name, count]) => ({
        from: hour.from,
        variation: name === fallbackName ? null : Number(name),
        count,
      }))
      .sort((a, b) => (a.variation ?? -1) - (b.variation ?? -1)),
  )
}
