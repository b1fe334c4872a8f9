/** A unit that durations are shown in, so that the numbers stay short. */
export interface Unit {
  readonly name: string
  readonly ms: number
}

const minutes: Unit = { name: 'minutes', ms: 60_000 }
const hours: Unit = { name: 'hours', ms: 3_600_000 }
const days: Unit = { name: 'days', ms: 86_400_000 }

/** Unit for durations of which this is the longest, ms: minutes up to two hours, hours up to three days, else days. */
export function unitFor(longest: number): Unit {
  if (longest <= 2 * hours.ms) return minutes
  return longest <= 3 * days.ms ? hours : days
}

/** Numbers as people of a place write them, with one decimal at most. */
export function numbersOf(locale: string | undefined): (value: number) => string {
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  return (value) => format.format(value)
}

/** One duration with its unit, e.g. `3.5 days`. */
export function durationText(ms: number, locale: string | undefined): string {
  const unit = unitFor(ms)
  return `${numbersOf(locale)(ms / unit.ms)} ${unit.name}`
}

/**
 * Points in time of a chart as text. Buckets are days and hours of UTC, so that text is in UTC too.
 *
 * @param span how long the range is, ms: short ones show the hour, long ones the year.
 */
export function momentsOf(locale: string | undefined, span: number): (ms: number) => string {
  const date = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const
  const more: Intl.DateTimeFormatOptions =
    span <= 2 * days.ms ? { hour: '2-digit', minute: '2-digit' } : span > 300 * days.ms ? { year: 'numeric' } : {}
  const format = new Intl.DateTimeFormat(locale, { ...date, ...more })
  return (ms) => format.format(ms)
}
