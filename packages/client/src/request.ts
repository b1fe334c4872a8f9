/**
 * Where a call goes below `/api/v2`: the path with its parameters, and what else is said as query.
 *
 * @param query path parameters and query side by side; the parameters of the path are taken out of it.
 */
export function placeOf(path: string, query: Record<string, unknown>): string {
  const place = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = query[name]
    query[name] = undefined
    // Dots alone would climb out of the path that is meant. The API finds nothing under a control character (D8).
    return encodeURIComponent(typeof value === 'string' && /[^.]|.{3}/.test(value) ? value : '\x7f')
  })
  const given = Object.entries(query).filter(([, value]) => value !== undefined) as [string, string][]
  return `${place}?${new URLSearchParams(given)}`
}
