/**
 * Headers of a received request: a record as in `node:http` or Express, `Headers`, or a function that looks up a header
 * by its lower-case name.
 */
export type ReceivedHeaders =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | { get(name: string): string | null }
  | ((name: string) => string | readonly string[] | null | undefined)

/**
 * Returns a header by its lower-case name, or undefined if it is absent or empty. Repeated headers are joined with
 * commas, as `Headers` does, because it is unknown which one is valid.
 */
export function receivedHeader(headers: ReceivedHeaders, name: string): string | undefined {
  if (typeof headers === 'function') return joinValues([headers(name)])
  const get: unknown = headers.get
  if (typeof get === 'function') return joinValues([get.call(headers, name)])
  return joinValues(
    Object.entries(headers)
      .filter(([headerName]) => headerName.toLowerCase() === name)
      .map(([, value]) => value),
  )
}

function joinValues(values: readonly unknown[]): string | undefined {
  const texts = values.flat().filter((value) => typeof value === 'string')
  return texts.length === 0 ? undefined : texts.join(', ') || undefined
}
