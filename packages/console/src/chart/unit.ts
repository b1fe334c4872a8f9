/** A unit in which durations are shown, so that the numbers stay short. */
export interface Unit {
  readonly name: string
  readonly ms: number
}

const minutes: Unit = { name: 'minutes', ms: 60_000 }
const hours: Unit = { name: 'hours', ms: 3_600_000 }
const days: Unit = { name: 'days', ms: 86_400_000 }

/** Returns the unit for durations up to `longest` (ms): minutes up to two hours, hours up to three days, else days. */
export function unitFor(longest: number): Unit {
  if (longest <= 2 * hours.ms) return minutes
  return longest <= 3 * days.ms ? hours : days
}

/** Returns a function that formats numbers in a language, with at most one decimal. */
export function numberFormatter(locale: string | undefined): (value: number) => string {
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  return (value) => format.format(value)
}

/** Formats a duration with its unit, e.g. `3.5 days`. */
export function durationText(ms: number, locale: string | undefined): string {
  const unit = unitFor(ms)
  return `${numberFormatter(locale)(ms / unit.ms)} ${unit.name}`
}

/**
 * Returns a function that formats the times of a chart. Buckets are days and hours in UTC, so the text is in UTC too.
 * @param span length of the range, ms: short ranges show the hour, long ones the year.
 */
export function timeFormatter(locale: string | undefined, span: number): (ms: number) => string {
  const date = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const
  const extraFields: Intl.DateTimeFormatOptions =
    span <= 2 * days.ms ? { hour: '2-digit', minute: '2-digit' } : span > 300 * days.ms ? { year: 'numeric' } : {}
  const format = new Intl.DateTimeFormat(locale, { ...date, ...extraFields })
  return (ms) => format.format(ms)
}
