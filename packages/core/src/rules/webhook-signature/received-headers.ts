/**
 * The headers of a request that came: a record as of `node:http` or Express, `Headers`, or whatever looks one up by its
 * lower-case name.
 */
export type ReceivedHeaders =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | { get(name: string): string | null }
  | ((name: string) => string | readonly string[] | null | undefined)

/**
 * A header by its lower-case name, undefined where there is none or an empty one. One that came more than once is joined
 * with commas, as `Headers` does: which of them was meant nobody can know.
 */
export function receivedHeader(headers: ReceivedHeaders, name: string): string | undefined {
  if (typeof headers === 'function') return joined([headers(name)])
  const get: unknown = headers.get
  if (typeof get === 'function') return joined([get.call(headers, name)])
  return joined(
    Object.entries(headers)
      .filter(([own]) => own.toLowerCase() === name)
      .map(([, value]) => value),
  )
}

function joined(values: readonly unknown[]): string | undefined {
  const texts = values.flat().filter((value) => typeof value === 'string')
  return texts.length === 0 ? undefined : texts.join(', ') || undefined
}
