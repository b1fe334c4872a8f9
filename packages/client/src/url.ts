import type { Input } from './options.ts'

/**
 * Returns the URL of a call.
 *
 * @param path path with parameters in braces, e.g. `/api/v2/teams/{teamKey}`.
 * @param input the path parameters; all other properties become query parameters.
 */
export function requestUrl(baseUrl: string, path: string, input: Input): string {
  const query = { ...input }
  const resolved = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    delete query[name]
    return pathSegment(input[name])
  })
  const defined = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(defined as [string, string][]).toString()
  return baseUrl + resolved + (search && `?${search}`)
}

/**
 * Encodes a path parameter. URL parsers remove the segments `.` and `..`, and an empty segment changes the path: the
 * control character in their place is part of no key, so the API responds with 404.
 */
function pathSegment(value: unknown): string {
  const isSafe = typeof value === 'string' && !/^\.{0,2}$/.test(value)
  return encodeURIComponent(isSafe ? value : '\x7f')
}
