const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A time in the zone of the reader, with UTC on hover. */
export function Time({ value }: { value: string | number }) {
  const date = dateOf(value)
  if (Number.isNaN(date.getTime())) return null
  const iso = date.toISOString()
  return (
    <time dateTime={iso} title={`${iso.slice(0, 19).replace('T', ' ')} UTC`}>
      {format.format(date)}
    </time>
  )
}

/** Reads a time of the API: a number, a number in a string, or a date, depending on the configuration of the server. */
export function dateOf(value: string | number): Date {
  return new Date(Number.isNaN(Number(value)) ? value : Number(value))
}

/** Returns a time as the text of a field for a date and a time, in the zone of the reader, to the minute. */
export function localTimeText(value: string | number): string {
  const date = dateOf(value)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
