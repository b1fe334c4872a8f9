import {
  dayOf,
  leadTimeDays,
  leadTimeHours,
  openDays,
  type Place,
  partOf,
  summarisedApplications,
} from '../../models/lead-time/lead-time-day.ts'
import { columnCount, leadTimeSamples } from '../../models/lead-time/lead-time-sample.ts'
import { bucketsOf } from '../../rules/lead-time/buckets.ts'
import {
  dayMs,
  hourMs,
  type LeadTimePart,
  type LeadTimeQuestion,
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
const mostStretches = 64

/**
 * Maximum number of summaries that are read. When more are needed, for example for hundreds of applications, all
 * samples of the chart are read.
 */
const mostParts = 20_000

const mostApplications = 1_000

const mostOpenDays = 100_000

/**
 * Reads the data of a lead-time chart: for each bucket the summaries of the complete days and hours in it, and samples
 * for the remaining time and for open days.
 */
export async function readLeadTimes(tx: Reader, place: Place, question: LeadTimeQuestion): Promise<LeadTimes> {
  // In sequence, because the applications of a day are complete only after the day is known not to be open.
  const plan = planOf(question, await openDaysIn(tx, place, question))
  const applications = await applicationsOf(tx, place, question)
  const parts = (plan.days.length + plan.hours.length) * (applications?.length ?? 0)
  if (!applications || plan.stretches.length > mostStretches || parts > mostParts)
    return { samples: await scan(tx, place, question, question), parts: [] }
  const [samples, days, hours] = await Promise.all([
    Promise.all(plan.stretches.map((stretch) => scan(tx, place, question, stretch))),
    readDays(tx, place, plan.days, applications),
    readHours(tx, place, plan.hours, applications),
  ])
  return { samples: joined(samples), parts: [...days, ...hours] }
}

interface Stretch {
  readonly from: number
  readonly to: number
}

async function openDaysIn(tx: Reader, place: Place, { from, to }: Stretch): Promise<ReadonlySet<number>> {
  const { items } = await tx.listRows(openDays, place, {
    where: [{ op: 'range', field: 'day', from: dayOf(from), to: dayOf(to - 1) + 1 }],
    limit: mostOpenDays,
  })
  return new Set(items.map(({ fields }) => fields.day as number))
}

/**
 * Returns the applications whose summaries are needed, where undefined means all together. Returns undefined when there
 * are too many.
 */
async function applicationsOf(
  tx: Reader,
  place: Place,
  { applications, groupBy }: LeadTimeQuestion,
): Promise<readonly (string | undefined)[] | undefined> {
  if (applications) return applications
  if (groupBy === 'stage') return [undefined]
  const found = await tx.pageKeys(summarisedApplications, place, { limit: mostApplications + 1 })
  return found.length > mostApplications ? undefined : [undefined, ...found]
}

interface Plan {
  readonly stretches: readonly Stretch[]
  /** Numbers of days. */
  readonly days: readonly number[]
  /** Start times of hours, ms. */
  readonly hours: readonly number[]
}

/** Splits the range: each bucket into complete days, complete hours and the remaining time. */
function planOf(question: LeadTimeQuestion, open: ReadonlySet<number>): Plan {
  const { from, to } = question
  const { start, width } = bucketsOf(question)
  const stretches: { from: number; to: number }[] = []
  const days: number[] = []
  const hours: number[] = []
  const readSamples = (stretch: Stretch) => {
    const last = stretches.at(-1)
    if (last?.to === stretch.from) last.to = stretch.to
    else stretches.push({ ...stretch })
  }
  for (let at = from; at < to; ) {
    const day = dayOf(at)
    const bucketEnd = start + (Math.floor((at - start) / width) + 1) * width
    const end = Math.min(bucketEnd, to, (day + 1) * dayMs)
    if (open.has(day)) readSamples({ from: at, to: Math.min(to, (day + 1) * dayMs) })
    else if (end - at === dayMs) days.push(day)
    else {
      const hour = Math.ceil(at / hourMs) * hourMs
      if (hour > at) readSamples({ from: at, to: Math.min(hour, end) })
      let next = hour
      for (; next + hourMs <= end; next += hourMs) hours.push(next)
      if (next < end) readSamples({ from: next, to: end })
    }
    at = open.has(day) ? Math.min(to, (day + 1) * dayMs) : end
  }
  return { stretches, days, hours }
}

function scan(tx: Reader, place: Place, { applications }: LeadTimeQuestion, { from, to }: Stretch) {
  return tx.scan(leadTimeSamples, place, { from, to, labels: applications, columns: columnCount })
}

async function readDays(
  tx: Reader,
  place: Place,
  days: readonly number[],
  applications: readonly (string | undefined)[],
): Promise<LeadTimePart[]> {
  const wanted = days.flatMap((day) => applications.map((application) => ({ day, application })))
  const found = await tx.getMany(
    leadTimeDays,
    wanted.map(({ day, application }) => ({ ...place, part: partOf(day, application) })),
  )
  return wanted.flatMap(({ day, application }, i) => {
    const summary = found[i]?.summary
    return summary ? [{ at: day * dayMs, application, summary }] : []
  })
}

async function readHours(
  tx: Reader,
  place: Place,
  hours: readonly number[],
  applications: readonly (string | undefined)[],
): Promise<LeadTimePart[]> {
  const days = [...new Set(hours.map(dayOf))]
  const wanted = days.flatMap((day) => applications.map((application) => ({ day, application })))
  const found = await tx.getMany(
    leadTimeHours,
    wanted.map(({ day, application }) => ({ ...place, part: partOf(day, application) })),
  )
  const asked = new Set(hours)
  return wanted.flatMap(({ day, application }, i) =>
    (found[i]?.hours ?? []).flatMap((summary, hour) => {
      const at = day * dayMs + hour * hourMs
      return summary && asked.has(at) ? [{ at, application, summary }] : []
    }),
  )
}

/** Concatenates samples of consecutive ranges. */
function joined(stretches: readonly LeadTimeSamples[]): LeadTimeSamples {
  const [only] = stretches
  if (only && stretches.length === 1) return only
  const numbers = new Map<string, number>()
  for (const { labels } of stretches)
    for (const label of labels) if (!numbers.has(label)) numbers.set(label, numbers.size)
  const size = stretches.reduce((sum, { at }) => sum + at.length, 0)
  const whole = {
    at: new Float64Array(size),
    labels: [...numbers.keys()],
    label: new Uint32Array(size),
    values: Array.from({ length: columnCount }, () => new Float64Array(size)),
  }
  let first = 0
  for (const { at, labels, label, values } of stretches) {
    whole.at.set(at, first)
    const renumbered = labels.map((one) => numbers.get(one) ?? 0)
    for (let i = 0; i < label.length; i++) whole.label[first + i] = renumbered[label[i] as number] as number
    for (const [column, numbers] of values.entries()) whole.values[column]?.set(numbers, first)
    first += at.length
  }
  return whole
}
