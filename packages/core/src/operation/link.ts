import type { ResponseFormat } from './context.ts'

export interface Link {
  readonly href: string
  readonly type: string
}

/**
 * A link to another response of this API, or to a page below the same mount path. It is a class, so that the encoder
 * can distinguish links from objects in users' data.
 */
export class ApiLink implements Link {
  readonly href: string
  readonly type: string

  /** @param href path, relative to the mount path. */
  constructor(href: string, type: string) {
    this.href = href
    this.type = type
  }
}

/**
 * Returns a link to another response of this API.
 *
 * @param href path, relative to the mount path, e.g. `/api/v2/teams`.
 * @param type media type of that response. Default `application/json`.
 */
export function linkTo(href: string, type = 'application/json'): Link {
  return new ApiLink(href, type)
}

/**
 * Returns a path of this API, with its values percent-encoded where necessary.
 *
 * Used as a tag: `` path`/api/v2/projects/${projectKey}` ``.
 */
export function path(texts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  let text = texts[0] as string
  for (let i = 0; i < values.length; i++) {
    text += encodeURIComponent(values[i] as string | number) + (texts[i + 1] as string)
  }
  return text
}

/** Returns `_links` of one resource: the resource itself, and its parent. */
export function selfAndParent(self: string, parent: string): Record<'self' | 'parent', Link> {
  return { self: linkTo(self), parent: linkTo(parent) }
}

export interface PageQuery {
  readonly limit: number
  readonly offset: number
}

/**
 * Returns `_links` of a page: `first`, `prev`, `next` and `last` only when such a page exists
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d9-pagination).
 */
export function pageLinks(url: string, { limit, offset }: PageQuery, totalCount: number): Record<string, Link> {
  const linkToPage = (start: number) => linkTo(withQuery(url, { limit, offset: start }))
  const links: Record<string, Link> = { self: linkTo(url) }
  if (offset > 0 && totalCount > 0) {
    links.first = linkToPage(0)
    links.prev = linkToPage(Math.max(0, Math.min(offset, totalCount) - limit))
  }
  if (offset + limit < totalCount) {
    links.next = linkToPage(offset + limit)
    links.last = linkToPage(offset + Math.floor((totalCount - 1 - offset) / limit) * limit)
  }
  return links
}

/**
 * Returns a URL with some query parameters replaced.
 *
 * @param parameters new parameters; they replace those with the same names.
 * @param removed names of further parameters to remove.
 */
export function withQuery(
  url: string,
  parameters: Readonly<Record<string, string | number>>,
  removed: readonly string[] = [],
): string {
  const [path, query = ''] = url.split('?', 2) as [string, string?]
  const replaced = new Set([...Object.keys(parameters), ...removed])
  const remaining = query.split('&').filter((pair) => pair !== '' && !replaced.has(pair.split('=', 1)[0] as string))
  return `${path}?${[...remaining, ...Object.entries(parameters).map(([name, value]) => `${name}=${value}`)].join('&')}`
}

/**
 * Makes the format of values in responses (docs/decisions/0001-follow-one-set-of-http-conventions.md#d4-timestamps).
 */
export function responseFormat(timestamps: 'string' | 'number'): ResponseFormat {
  return { time: timestamps === 'string' ? (ms) => String(ms) : (ms) => ms }
}
