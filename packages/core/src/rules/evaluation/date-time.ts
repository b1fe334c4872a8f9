const pattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[-+]\d\d(:\d\d)?)$/

/**
 * Parses a point in time: milliseconds since 1970, or a text of RFC 3339 with date, time and zone. The minutes of a
 * zone may be omitted.
 *
 * @returns milliseconds, UTC; NaN for anything else, such as a date without a time or digits in quotes.
 */
export function parseDateTime(value: unknown): number {
  if (typeof value === 'number') return value
  const match = typeof value === 'string' ? pattern.exec(value) : null
  if (!match) return Number.NaN
  return Date.parse(match[1] === undefined && !match[0].endsWith('Z') ? `${match[0]}:00` : match[0])
}
