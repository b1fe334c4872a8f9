import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import {
  dayOf,
  leadTimeDays,
  leadTimeHours,
  openDays,
  partOf,
  summarizedApplications,
} from '../../models/lead-time/lead-time-day.ts'
import { columnCount, leadTimeSamples } from '../../models/lead-time/lead-time-sample.ts'
import { bucketsOf } from '../../rules/lead-time/buckets.ts'
import {
  dayMs,
  hourMs,
  type LeadTimePart,
  type LeadTimeQuery,
  type LeadTimeSamples,
} from '../../rules/lead-time/index.ts'
import type { Reader } from '../../storage/reader.ts'

/** Data of a chart: samples, and summaries of the days and hours whose samples were not read. */
export interface LeadTimes {
  readonly samples: LeadTimeSamples
  readonly parts: readonly LeadTimePart[]
}

/**
 * Maximum number of ranges of samples that are read next to summaries. When more are needed, all samples of the chart
 * are read.
 */
const maxRanges = 64

/**
 * Maximum number of summaries that are read. When more are needed, for example for hundreds of applications, all
 * samples of the chart are read.
 */
const maxParts = 20_000

const maxApplications = 1_000

const maxOpenDays = 100_000

/**
 * Reads the data of a lead-time chart: for each bucket the summaries of the complete days and hours in it, and samples
 * for the remaining time and for open days.
 */
export async function readLeadTimes(tx: Reader, keys: EnvironmentKeys, query: LeadTimeQuery): Promise<LeadTimes> {
  // The two reads run one after the other: the list of applications of a day is certain to be complete only when it is
  // read after the day is known not to be open.
  const plan = planOf(query, await openDaysIn(tx, keys, query))
  const applications = await applicationsOf(tx, keys, query)
  const parts = (plan.days.length + plan.hours.length) * (applications?.length ?? 0)
  if (!applications || plan.ranges.length > maxRanges || parts > maxParts)
    return { samples: await scan(tx, keys, query, query), parts: [] }
  const [samples, days, hours] = await Promise.all([
    Promise.all(plan.ranges.map((range) => scan(tx, keys, query, range))),
    readDays(tx, keys, { days: plan.days, applications }),
    readHours(tx, keys, { hours: plan.hours, applications }),
  ])
  return { samples: concatenate(samples), parts: [...days, ...hours] }
}

interface SampleRange {
  readonly from: number
  readonly to: number
}

async function openDaysIn(tx: Reader, keys: EnvironmentKeys, { from, to }: SampleRange): Promise<ReadonlySet<number>> {
  const { items } = await tx.listRows(openDays, keys, {
    where: [{ op: 'range', field: 'day', from: dayOf(from), to: dayOf(to - 1) + 1 }],
    limit: maxOpenDays,
  })
  return new Set(items.map(({ fields }) => fields.day as number))
}

/**
 * Returns the applications whose summaries are needed. An element that is undefined means the summary of all
 * applications together. Returns undefined instead of a list when there are too many applications.
 */
async function applicationsOf(
  tx: Reader,
  keys: EnvironmentKeys,
  { applications, groupBy }: LeadTimeQuery,
): Promise<readonly (string | undefined)[] | undefined> {
  if (applications) return applications
  if (groupBy === 'stage') return [undefined]
  const applicationKeys = await tx.pageKeys(summarizedApplications, keys, { limit: maxApplications + 1 })
  return applicationKeys.length > maxApplications ? undefined : [undefined, ...applicationKeys]
}

interface Plan {
  readonly ranges: readonly SampleRange[]
  /** Numbers of days. */
  readonly days: readonly number[]
  /** Start times of hours, ms. */
  readonly hours: readonly number[]
}

/** Splits the range: each bucket into complete days, complete hours and the remaining time. */
function planOf(query: LeadTimeQuery, openDaySet: ReadonlySet<number>): Plan {
  const { from, to } = query
  const { start, width } = bucketsOf(query)
  const ranges: { from: number; to: number }[] = []
  const days: number[] = []
  const hours: number[] = []
  const readSamples = (range: SampleRange) => {
    const previous = ranges.at(-1)
    if (previous?.to === range.from) previous.to = range.to
    else ranges.push({ ...range })
  }
  for (let time = from; time < to; ) {
    const day = dayOf(time)
    const bucketEnd = start + (Math.floor((time - start) / width) + 1) * width
    const end = Math.min(bucketEnd, to, (day + 1) * dayMs)
    if (openDaySet.has(day)) readSamples({ from: time, to: Math.min(to, (day + 1) * dayMs) })
    else if (end - time === dayMs) days.push(day)
    else {
      const hour = Math.ceil(time / hourMs) * hourMs
      if (hour > time) readSamples({ from: time, to: Math.min(hour, end) })
      let next = hour
      for (; next + hourMs <= end; next += hourMs) hours.push(next)
      if (next < end) readSamples({ from: next, to: end })
    }
    time = openDaySet.has(day) ? Math.min(to, (day + 1) * dayMs) : end
  }
  return { ranges, days, hours }
}

function scan(tx: Reader, keys: EnvironmentKeys, { applications }: LeadTimeQuery, { from, to }: SampleRange) {
  return tx.scan(leadTimeSamples, keys, { from, to, labels: applications, columns: columnCount })
}

/** Days, and the applications whose samples are read. */
interface RequestedDays {
  readonly days: readonly number[]
  readonly applications: readonly (string | undefined)[]
}

async function readDays(
  tx: Reader,
  keys: EnvironmentKeys,
  { days, applications }: RequestedDays,
): Promise<LeadTimePart[]> {
  const parts = days.flatMap((day) => applications.map((application) => ({ day, application })))
  const stored = await tx.getMany(
    leadTimeDays,
    parts.map(({ day, application }) => ({ ...keys, part: partOf(day, application) })),
  )
  return parts.flatMap(({ day, application }, i) => {
    const summary = stored[i]?.summary
    return summary ? [{ at: day * dayMs, application, summary }] : []
  })
}

/** Hours, and the applications whose samples are read. */
interface RequestedHours {
  readonly hours: readonly number[]
  readonly applications: readonly (string | undefined)[]
}

async function readHours(
  tx: Reader,
  keys: EnvironmentKeys,
  { hours, applications }: RequestedHours,
): Promise<LeadTimePart[]> {
  const days = [...new Set(hours.map(dayOf))]
  const parts = days.flatMap((day) => applications.map((application) => ({ day, application })))
  const stored = await tx.getMany(
    leadTimeHours,
    parts.map(({ day, application }) => ({ ...keys, part: partOf(day, application) })),
  )
  const requestedHours = new Set(hours)
  return parts.flatMap(({ day, application }, i) =>
    (stored[i]?.hours ?? []).flatMap((summary, hour) => {
      const time = day * dayMs + hour * hourMs
      return summary && requestedHours.has(time) ? [{ at: time, application, summary }] : []
    }),
  )
}

/** Concatenates samples of consecutive ranges. */
function concatenate(ranges: readonly LeadTimeSamples[]): LeadTimeSamples {
  const [single] = ranges
  if (single && ranges.length === 1) return single
  const labelIndexes = new Map<string, number>()
  for (const { labels } of ranges)
    for (const label of labels) if (!labelIndexes.has(label)) labelIndexes.set(label, labelIndexes.size)
  const size = ranges.reduce((sum, { at }) => sum + at.length, 0)
  const result = {
    at: new Float64Array(size),
    labels: [...labelIndexes.keys()],
    label: new Uint32Array(size),
    values: Array.from({ length: columnCount }, () => new Float64Array(size)),
  }
  let offset = 0
  for (const { at, labels, label, values } of ranges) {
    result.at.set(at, offset)
    const newIndexes = labels.map((labelName) => labelIndexes.get(labelName) ?? 0)
    for (let i = 0; i < label.length; i++) result.label[offset + i] = newIndexes[label[i] as number] as number
    for (const [column, labelIndexes] of values.entries()) result.values[column]?.set(labelIndexes, offset)
    offset += at.length
  }
  return result
}
