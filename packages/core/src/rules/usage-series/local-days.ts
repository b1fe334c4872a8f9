/** Length of an hour in ms. */
const hourMs = 60 * 60 * 1000

/** A range of whole hours: integer ms, UTC, both at the start of an hour; `to` is exclusive. */
export interface HourRange {
  readonly from: number
  readonly to: number
}

/** Returns true for a name of the IANA time zone database, such as `Europe/Berlin`, and for `UTC`. */
export function isTimeZone(name: string): boolean {
  try {
    dateFormat(name)
    return true
  } catch {
    return false
  }
}

/** Returns the starts of the hours of a range, ascending: integer ms, UTC. */
export function hourStarts({ from, to }: HourRange): number[] {
  return Array.from({ length: Math.max(0, Math.ceil((to - from) / hourMs)) }, (_, index) => from + index * hourMs)
}

/**
 * Returns the first hour of each day of a time zone that the range contains, ascending: integer ms, UTC. The first is
 * the start of the range, which can be later than the start of its day.
 *
 * @returns undefined when a day begins in the middle of a UTC hour, as in `Asia/Kolkata`: whole hours cannot be divided
 *   among such days.
 */
export function localDayStarts(range: HourRange, timeZone: string): number[] | undefined {
  const format = dateFormat(timeZone)
  const starts: number[] = []
  let date: string | undefined
  for (const hour of hourStarts(range)) {
    const dateOfHour = format.format(hour)
    if (format.format(hour + hourMs - 1) !== dateOfHour) return undefined
    if (dateOfHour !== date) starts.push(hour)
    date = dateOfHour
  }
  return starts
}

function dateFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: 'numeric', day: 'numeric' })
}
