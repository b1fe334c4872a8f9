import type { MountedEndpoints } from '@halyard/core'
import type { IncomingRequest } from './body.ts'

/** The path that the engine matches, and the query without `?`. */
export interface Target {
  readonly path: string
  readonly query: string
  /** The path under which the API is mounted, without a slash at its end; empty when it is mounted at the root. */
  readonly mountPath: string
}

/** A target to which the engine responds with its own 404. */
export const unknownTarget: Target = { path: '', query: '', mountPath: '' }

const root = '/api/v2'

/** Root of the URLs of triggers. */
const triggerRoot = '/webhook/triggers/'

/** The base path of the API, and the path at which the handler is mounted. */
export interface MountPaths {
  /** Path to remove. */
  readonly base: string
  /** The mount path of the handler below that of Express. */
  readonly mounted: string
}

/**
 * Returns the target of a request in the API or in other endpoints; undefined for a request to another path.
 *
 * @param others endpoints beside the API.
 */
export function targetOf(
  req: IncomingRequest,
  { base, mounted }: MountPaths,
  others: Pick<MountedEndpoints, 'has'> | undefined,
): Target | undefined {
  const url = removeBase(base, restoreRoot(req.baseUrl, toOriginForm(req.url ?? '/')))
  if (url === undefined) return undefined
  const queryStart = url.indexOf('?')
  const path = queryStart < 0 ? url : url.slice(0, queryStart)
  const inApi = path.startsWith(root) && (path.length === root.length || path[root.length] === '/')
  const isKnown = inApi || path.startsWith(triggerRoot) || others?.has(path)
  if (!isKnown) return undefined
  return { path, query: queryStart < 0 ? '' : url.slice(queryStart + 1), mountPath: mountPathOf(req.baseUrl, mounted) }
}

/** Joins the path that Express removed, without the API's own root, and the mount path of the handler itself. */
function mountPathOf(removedByExpress = '', mounted: string): string {
  const removed = removedByExpress.endsWith(root) ? removedByExpress.slice(0, -root.length) : removedByExpress
  return `${removed}${mounted}`
}

/** Strips scheme and host: servers must accept `GET http://host/path` too (RFC 9112, 3.2.2). */
function toOriginForm(url: string): string {
  const scheme = url.startsWith('/') ? -1 : url.indexOf('://')
  if (scheme < 0) return url
  const path = url.indexOf('/', scheme + 3)
  return path < 0 ? '/' : url.slice(path)
}

/**
 * Restores the API's own root. Express removes the mount path from requests. If the handler is mounted at the API's
 * root, this removes the root too.
 */
function restoreRoot(mountedAt: string | undefined, url: string): string {
  return mountedAt?.endsWith(root) ? root + url : url
}

function removeBase(base: string, url: string): string | undefined {
  if (base === '') return url
  return url.startsWith(base) ? url.slice(base.length) : undefined
}
