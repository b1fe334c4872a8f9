import type { IncomingRequest } from './body.ts'

/** The path as the engine knows it, and the query without `?`. */
export interface Target {
  readonly path: string
  readonly query: string
}

/** A target to which the engine responds with its own 404. */
export const unknownTarget: Target = { path: '', query: '' }

const root = '/api/v2'

/** Returns the target of a request in the API; undefined for a request to another path. */
export function targetOf(req: IncomingRequest, base: string): Target | undefined {
  const url = removeBase(base, restoreRoot(req.baseUrl, toOriginForm(req.url ?? '/')))
  if (url === undefined || !url.startsWith(root)) return undefined
  const queryStart = url.indexOf('?')
  const path = queryStart < 0 ? url : url.slice(0, queryStart)
  if (path.length > root.length && path[root.length] !== '/') return undefined
  return { path, query: queryStart < 0 ? '' : url.slice(queryStart + 1) }
}

/** Strips scheme and host: servers must accept `GET http://host/path` too (RFC 9112, 3.2.2). */
function toOriginForm(url: string): string {
  const scheme = url.startsWith('/') ? -1 : url.indexOf('://')
  if (scheme < 0) return url
  const path = url.indexOf('/', scheme + 3)
  return path < 0 ? '/' : url.slice(path)
}

/**
 * Restores the API's own root. Express removes the mount path, which removes too much when the handler is mounted at
 * that root.
 */
function restoreRoot(mountedAt: string | undefined, url: string): string {
  return mountedAt?.endsWith(root) ? root + url : url
}

function removeBase(base: string, url: string): string | undefined {
  if (base === '') return url
  return url.startsWith(base) ? url.slice(base.length) : undefined
}
