import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import {
  evaluationCountingStarts,
  evaluationsKeys,
  hourMs,
  hourRetentionMs,
} from '../../models/flag-evaluations/flag-evaluation.ts'
import { flags } from '../../models/flags/flag.ts'
import type { Fail } from '../../operation/errors.ts'
import { linkTo } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { links, list, moment } from '../../operation/schema.ts'
import { type HourRange, hourStarts, isTimeZone, localDayStarts } from '../../rules/usage-series/local-days.ts'
import { type EvaluationCount, readEvaluations } from './read-evaluations.ts'

const dayMs = 24 * hourMs

/** Length of the range of a query without `from`, in ms. */
const defaultRangeMs = 30 * dayMs

/**
 * Maximum age of the start of a range that is divided into hours, in ms. Ranges that start earlier are divided into
 * days.
 */
const hourlyMs = 2 * dayMs

const usageQuery = v.object({
  from: v.optional(moment()),
  to: v.optional(moment()),
  tz: v.optional(
    v.pipe(v.string(), v.check(isTimeZone, 'must be a time zone of the IANA database, such as Europe/Berlin')),
    'UTC',
  ),
})

type UsageQuery = v.InferOutput<typeof usageQuery>

/**
 * Counts that are computed from the stored hours, without an estimate
 * (docs/decisions/0141-serve-the-usage-figures-that-are-counted.md).
 */
export const getEvaluationsUsage = operation({
  id: 'getEvaluationsUsage',
  summary:
    'Count the evaluations of a feature flag in an environment by variation: in hours of UTC when `from` is in the last two days, otherwise in days of the time zone `tz`',
  method: 'GET',
  path: '/api/v2/usage/evaluations/{projectKey}/{environmentKey}/{flagKey}',
  beta: 'tagged',
  query: usageQuery,
  success: {
    status: 200,
    body: v.object({
      /** The variation of each series, in the order of the names `0`, `1`, … that the points use. */
      metadata: list(v.object({ variation: v.nullable(v.number()) })),
      /** Points of time: `time` in integer ms, and the count of each series from then until the next point. */
      series: list(v.record(v.string(), v.number())),
      _links: links(),
    }),
  },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewFlagStatus', resource: 'proj/{projectKey}:env/{environmentKey}:flag/{flagKey}' },
  async handle(context, { params, query }) {
    const { tx, fail } = context
    const now = context.readClock()
    const { from, to } = rangeOf(query, now, fail)
    const [environment, flag, counting] = await Promise.all([
      tx.get(environments, params),
      tx.get(flags, params),
      tx.get(evaluationCountingStarts, { ...params, ...evaluationsKeys }),
    ])
    if (!environment || !flag) return fail('not_found')
    const counts = await readEvaluations(tx, { ...params, from, to })
    // Reports contain evaluations from before their arrival, so the first count can be older than the first report.
    const countedSince = Math.min(startOfHour(counting?.since ?? to), counts[0]?.from ?? to)
    const counted = { from: Math.max(from, countedSince), to }
    const isHourly = (query.from ?? now - defaultRangeMs) >= now - hourlyMs
    const starts = isHourly ? hourStarts(counted) : localDayStarts(counted, query.tz)
    if (!starts) return fail('invalid_request', { errors: [{ attribute: 'tz', reason: splitHourReason }] })
    const variations = variationsOf(flag.variations.length, counts)
    return {
      metadata: variations.map((variation) => ({ variation })),
      series: pointsOf(starts, counts, variations),
      _links: { self: linkTo(context.url) },
    }
  },
})

const splitHourReason =
  'must be a time zone whose days begin at a full hour of UTC, because evaluations are counted by these hours'

/**
 * Returns the hours that overlap the range of a query, without those that are deleted or have not begun.
 *
 * @throws ApiError `invalid_request` naming `from`.
 */
function rangeOf(query: UsageQuery, now: number, fail: Fail<'invalid_request'>): HourRange {
  const { from = now - defaultRangeMs, to = now + 1 } = query
  if (from >= to) {
    fail('invalid_request', { errors: [{ attribute: 'from', reason: `must be earlier than \`to\`, which is ${to}` }] })
  }
  const oldestKept = startOfHour(now - hourRetentionMs + hourMs - 1)
  return { from: Math.max(startOfHour(from), oldestKept), to: startOfHour(Math.min(to, now + 1) + hourMs - 1) }
}

function startOfHour(time: number): number {
  return time - (time % hourMs)
}

/**
 * Returns the variations that the flag has or that are counted, by index; then null if the caller's default is counted.
 */
function variationsOf(length: number, counts: readonly EvaluationCount[]): (number | null)[] {
  const indexes = new Set<number>(Array.from({ length }, (_, index) => index))
  for (const { variation } of counts) if (variation !== null) indexes.add(variation)
  const sorted: (number | null)[] = [...indexes].sort((a, b) => a - b)
  return counts.some(({ variation }) => variation === null) ? [...sorted, null] : sorted
}

/**
 * Returns the points of the series, one for each start, with the sum of the counts of each variation.
 *
 * @param counts the counts, ordered by time. Each count belongs to the latest point that is not later than the count.
 */
function pointsOf(
  starts: readonly number[],
  counts: readonly EvaluationCount[],
  variations: readonly (number | null)[],
): Record<string, number>[] {
  const names = new Map(variations.map((variation, index) => [variation, String(index)]))
  const points = starts.map(
    (time): Record<string, number> => ({
      ...Object.fromEntries(variations.map((_, index) => [String(index), 0])),
      time,
    }),
  )
  let index = 0
  for (const { from, variation, count } of counts) {
    while (index + 1 < starts.length && (starts[index + 1] as number) <= from) index++
    const point = points[index]
    const name = names.get(variation)
    if (point && name !== undefined) point[name] = (point[name] ?? 0) + count
  }
  return points
}
