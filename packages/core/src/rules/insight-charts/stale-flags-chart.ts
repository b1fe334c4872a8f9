import type { FlagStatus } from '../flag-status/flag-status.ts'
import { insightScoreTable } from '../insight-score/score-table.ts'
import type { BucketQuery } from '../lead-time/buckets.ts'
import { dayMs } from '../lead-time/lead-time-summary.ts'
import { type CountChart, pointsAt } from './count-series.ts'
import { eachStatus, type FlagHistory } from './flag-history.ts'
import { rangeOf, type StateTally, stateTally, stateTimes } from './state-times.ts'

export const staleGroups = ['maintainer', 'age'] as const

/** The range, buckets and grouping of a chart of stale flags. */
export interface StaleFlagsQuery extends BucketQuery {
  /** Property by which flags are divided into series. Default: one series. */
  readonly groupBy?: (typeof staleGroups)[number]
}

/** Age groups of flags; each begins where the previous group ends. */
const ages = [
  { name: 'upTo90Days', below: 90 * dayMs },
  { name: 'upTo180Days', below: 180 * dayMs },
  { name: 'upTo365Days', below: 365 * dayMs },
  { name: 'over365Days', below: Infinity },
] as const

const measures = ['stale', 'temporary', 'unknown'] as const

type Measure = (typeof measures)[number]

/**
 * Counts stale flags at the end of each bucket: temporary, not archived, older than 30 days, and inactive or launched
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d26-scores). Each point also contains the number of all
 * temporary flags, and the number of temporary flags whose configuration at that time is unknown.
 *
 * With `groupBy: 'age'` all age groups have a series; with `maintainer` the maintainers of the temporary flags.
 *
 * @param flags flags that are not temporary are ignored.
 * @param now integer ms; all values of later buckets are 0.
 */
export function staleFlagsChart(flags: Iterable<FlagHistory>, query: StaleFlagsQuery, now: number): CountChart {
  const times = stateTimes(query, now)
  const range = rangeOf(times)
  const groups = new Map<string, StateTally<Measure>>()
  const tallyOf = (name: string) => {
    const existing = groups.get(name)
    if (existing) return existing
    const tally = stateTally<Measure>(times)
    groups.set(name, tally)
    return tally
  }
  for (const name of presetNames(query)) tallyOf(name)
  for (const flag of flags) {
    if (!flag.temporary) continue
    const parts = partsOf(flag, query)
    for (const { name, ...part } of parts) tallyOf(name).add('temporary', part.from, part.to)
    // One millisecond more, because a flag must be older than the limit.
    const staleFrom = flag.createdAt + insightScoreTable.staleAfterMs + 1
    eachStatus(flag, range, (status, from, to) => {
      const measure = measureOf(status)
      if (!measure) return
      const start = measure === 'stale' ? Math.max(from, staleFrom) : from
      for (const part of parts) tallyOf(part.name).add(measure, Math.max(part.from, start), Math.min(part.to, to))
    })
  }
  const countedGroups = [...groups]
    .map(([name, tally]) => ({ name, counts: countsOf(tally) }))
    .filter(({ counts }) => query.groupBy !== 'maintainer' || counts.temporary.some((count) => count > 0))
  const sortedGroups =
    query.groupBy === 'maintainer' ? countedGroups.sort((a, b) => (a.name < b.name ? -1 : 1)) : countedGroups
  const series = sortedGroups.map(({ name, counts }) => ({
    name,
    count: counts.stale.at(-1) ?? 0,
    points: pointsAt(query, (bucket) => {
      const [stale = 0, temporary = 0, unknown = 0] = measures.map((measure) => counts[measure][bucket])
      return { y: stale, values: { count: stale, temporary, unknown } }
    }),
  }))
  return { series, summary: summaryOf(sortedGroups.map(({ counts }) => counts)) }
}

function presetNames({ groupBy }: StaleFlagsQuery): readonly string[] {
  if (groupBy === 'maintainer') return []
  return groupBy === 'age' ? ages.map(({ name }) => name) : ['stale']
}

interface Part {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** Returns the series that contain a flag, each with its range of time. */
function partsOf({ createdAt, from, to, maintainer }: FlagHistory, { groupBy }: StaleFlagsQuery): Part[] {
  if (groupBy !== 'age') return [{ name: groupBy ? maintainer : 'stale', from, to }]
  return ages.flatMap(({ name, below }, i) => {
    const part = {
      name,
      from: Math.max(from, createdAt + (ages[i - 1]?.below ?? 0)),
      to: Math.min(to, createdAt + below),
    }
    return part.from < part.to ? [part] : []
  })
}

function measureOf(status: FlagStatus | 'unknown'): Measure | undefined {
  if (status === 'unknown') return 'unknown'
  return status === 'inactive' || status === 'launched' ? 'stale' : undefined
}

type Counts = Readonly<Record<Measure, Int32Array>>

function countsOf(tally: StateTally<Measure>): Counts {
  return Object.fromEntries(measures.map((measure) => [measure, tally.counts(measure)])) as Counts
}

function summaryOf(groups: readonly Counts[]): CountChart['summary'] {
  const [stale = 0, temporary = 0, unknown = 0] = measures.map((measure) =>
    groups.reduce((sum, counts) => sum + (counts[measure].at(-1) ?? 0), 0),
  )
  return { stale, temporary, unknown, share: temporary === 0 ? 0 : stale / temporary }
}
