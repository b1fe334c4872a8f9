import type { ResponseFormat } from './context.ts'

export interface Link {
  readonly href: string
  readonly type: string
}

/** A link to another answer of this API. */
export function linkTo(href: string): Link {
  return { href, type: 'application/json' }
}

/**
 * A path of this API with its parts percent-encoded where they need it.
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

/** `_links` of one resource: itself and what it belongs to. */
export function selfAndParent(self: string, parent: string): Record<'self' | 'parent', Link> {
  return { self: linkTo(self), parent: linkTo(parent) }
}

export interface PageQuery {
  readonly limit: number
  readonly offset: number
}

/**
 * `_links` of a page: `first`, `prev`, `next` and `last` only where such a page exists
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d9-pagination).
 */
export function pageLinks(url: string, { limit, offset }: PageQuery, totalCount: number): Record<string, Link> {
  const at = (start: number) => linkTo(withQuery(url, { limit, offset: start }))
  const links: Record<string, Link> = { self: linkTo(url) }
  if (offset > 0) {
    links.first = at(0)
    links.prev = at(Math.max(0, offset - limit))
  }
  if (offset + limit < totalCount) {
    links.next = at(offset + limit)
    links.last = at(offset + Math.floor((totalCount - 1 - offset) / limit) * limit)
  }
  return links
}

/**
 * A URL that asks for the same with some members of the query set anew.
 *
 * @param left members that the new ones take the place of, besides those of their own names.
 */
export function withQuery(
  url: string,
  members: Readonly<Record<string, string | number>>,
  left: readonly string[] = [],
): string {
  const [path, query = ''] = url.split('?', 2) as [string, string?]
  const replaced = new Set([...Object.keys(members), ...left])
  const kept = query.split('&').filter((pair) => pair !== '' && !replaced.has(pair.split('=', 1)[0] as string))
  return `${path}?${[...kept, ...Object.entries(members).map(([name, value]) => `${name}=${value}`)].join('&')}`
}

/** Makes the ways values look in answers (docs/decisions/0001-follow-one-set-of-http-conventions.md#d4-timestamps). */
export function responseFormat(timestamps: 'string' | 'number'): ResponseFormat {
  return { time: timestamps === 'string' ? (ms) => String(ms) : (ms) => ms }
}
