import type { Measure } from '../chart/chart-response.ts'

const day = 86_400_000
const hour = 3_600_000

/** The state of the page. All of it is in the URL, so that it can be shared. */
export interface View {
  readonly project: string
  readonly environment: string
  readonly range: string
  /** Days as `YYYY-MM-DD`, both included; used only with the range `custom`. */
  readonly from: string
  readonly to: string
  readonly bucket: string
  readonly group: string
  readonly application: string
  readonly measure: string
}

/** The measures that each choice draws: one measure, or three with a line for each. */
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

const viewProperties = [
  'project',
  'environment',
  'range',
  'from',
  'to',
  'bucket',
  'group',
  'application',
  'measure',
] as const

/** Reads the view from a URL. An invalid value is replaced with the first of the allowed ones. */
export function viewFromUrl(search: string, now: number): View {
  const query = new URLSearchParams(search)
  const read = (name: (typeof viewProperties)[number]): string => {
    const value = query.get(name) ?? ''
    const allowed = choices[name]
    return allowed && !allowed.includes(value) ? allowed[0]! : value
  }
  const view: View = {
    project: read('project'),
    environment: read('environment'),
    range: read('range'),
    from: read('from'),
    to: read('to'),
    bucket: read('bucket'),
    group: read('group'),
    application: read('application'),
    measure: read('measure'),
  }
  const isValidRange = isDay(view.from) && isDay(view.to) && view.from <= view.to
  return isValidRange ? view : { ...view, from: dayOf(now - 29 * day), to: dayOf(now) }
}

/** Returns the URL query of a view, without unused properties. */
export function searchFromView(view: View): string {
  const usedProperties = viewProperties.filter(
    (name) => view[name] !== '' && (view.range === 'custom' || (name !== 'from' && name !== 'to')),
  )
  return `?${new URLSearchParams(usedProperties.map((name) => [name, view[name]]))}`
}

/** Returns the start (inclusive) and end (exclusive) of a view, ms: whole days in UTC, today included. */
export function rangeOf({ range, from, to }: View, now: number): { readonly from: number; readonly to: number } {
  if (range === 'custom') return { from: Date.parse(from), to: Date.parse(to) + day }
  const end = Math.floor(now / day) * day + day
  return { from: end - Number(range) * day, to: end }
}

/** Returns the query parameters for the buckets of a view. */
export function bucketsOf({ bucket }: View): Readonly<Record<string, string>> {
  const bucketMs = String(buckets[bucket as keyof typeof buckets])
  return { bucketType: bucket === 'hour' || bucket === 'day' ? bucket : 'rolling', bucketMs }
}

/** Formats a day in UTC as `YYYY-MM-DD`. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
}
