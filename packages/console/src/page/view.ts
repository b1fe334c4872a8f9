import type { Measure } from '../chart/chart-answer.ts'

const day = 86_400_000
const hour = 3_600_000

/** What the page shows; all of it stands in the address, so that it can be shared. */
export interface View {
  readonly project: string
  readonly environment: string
  readonly range: string
  /** Days as `YYYY-MM-DD`, both included; only with the range `custom`. */
  readonly from: string
  readonly to: string
  readonly bucket: string
  readonly group: string
  readonly application: string
  readonly measure: string
}

/** What a list of lead times can be shown as: one measure, or a line for each of three. */
export const shownMeasures = {
  mean: ['mean'],
  p50: ['p50'],
  p75: ['p75'],
  p90: ['p90'],
  p95: ['p95'],
  p99: ['p99'],
  all: ['mean', 'p50', 'p90'],
} as const satisfies Record<string, readonly Measure[]>

const buckets = { hour, day, week: 7 * day, month: 30 * day }

const choices: Partial<Record<keyof View, readonly string[]>> = {
  range: ['30', '7', '90', 'custom'],
  bucket: ['day', 'hour', 'week', 'month'],
  group: ['application', 'stage'],
  measure: Object.keys(shownMeasures),
}

const members = ['project', 'environment', 'range', 'from', 'to', 'bucket', 'group', 'application', 'measure'] as const

/** Reads the view of an address; what makes no sense there is what stands first in the list. */
export function viewOf(search: string, now: number): View {
  const query = new URLSearchParams(search)
  const read = (name: (typeof members)[number]): string => {
    const value = query.get(name) ?? ''
    const allowed = choices[name]
    return allowed && !allowed.includes(value) ? allowed[0]! : value
  }
  // Cast: the object has every name of the view, but `Object.fromEntries` forgets the names.
  const view = Object.fromEntries(members.map((name) => [name, read(name)])) as unknown as View
  const valid = isDay(view.from) && isDay(view.to) && view.from <= view.to
  return valid ? view : { ...view, from: dayOf(now - 29 * day), to: dayOf(now) }
}

/** The query of a view, without what is not in use. */
export function searchOf(view: View): string {
  const kept = members.filter(
    (name) => view[name] !== '' && (view.range === 'custom' || (name !== 'from' && name !== 'to')),
  )
  return `?${new URLSearchParams(kept.map((name) => [name, view[name]]))}`
}

/** From when to when a view reaches, ms: whole days of UTC, today included. */
export function rangeOf({ range, from, to }: View, now: number): { readonly from: number; readonly to: number } {
  if (range === 'custom') return { from: Date.parse(from), to: Date.parse(to) + day }
  const end = Math.floor(now / day) * day + day
  return { from: end - Number(range) * day, to: end }
}

/** The buckets of a view as the API is asked for them. */
export function bucketsOf({ bucket }: View): Readonly<Record<string, string>> {
  const bucketMs = String(buckets[bucket as keyof typeof buckets])
  return { bucketType: bucket === 'hour' || bucket === 'day' ? bucket : 'rolling', bucketMs }
}

/** A day of UTC as `YYYY-MM-DD`. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
}
