import type { Caller } from '../../operation/caller.ts'
import type { EngineRequest, EngineResponse } from '../../operation/engine-request.ts'
import type { Operation } from '../../operation/operation.ts'
import type { CallStorage } from '../../storage/cached-reads.ts'
import { type DependencyCache, type Invalidator, trackedReads } from '../../storage/dependency-cache.ts'
import type { DependencyTracker } from '../../storage/dependency-index.ts'
import { viewOver } from '../access/authority.ts'
import type { ExecutedCall, Period, ReceivedRequest } from '../call-state.ts'
import { includesEtag, isNotModified, setEtag } from '../encode.ts'
import { receive } from '../handle-request.ts'
import { versionOf } from '../match.ts'
import type { RequestPipeline } from '../request-pipeline.ts'

/** A cached response to a GET, which is sent for equal requests of the same caller. */
export interface CachedResponse {
  readonly caller: Caller
  readonly operation: Operation
  readonly body: string
  /** Size of the body in UTF-8, bytes. */
  readonly length: number
  readonly etag: string | undefined
  /** True when an equal ETag means an equal response. */
  readonly isRevalidated: boolean
  readonly validity: Period
}

/** Handles a request, with the signature of `handleRequest`. */
export type Handle = (pipeline: RequestPipeline, received: ReceivedRequest) => Promise<EngineResponse>

export interface ResponseCacheParts {
  readonly invalidator: Invalidator
  readonly responses: DependencyCache<CachedResponse>
  readonly storage: CallStorage
}

/**
 * Size of an entry in addition to its key and text: headers, and the structures of the cache and of the index of
 * dependencies, bytes.
 */
const entryBytes = 1024

/**
 * Wraps the handling of requests so that responses to GET are cached, for each caller, until a dependency of the
 * response changes.
 *
 * @returns `handle` itself when the cache has no capacity.
 */
export function cachedResponses(
  handle: Handle,
  pipeline: RequestPipeline,
  parts: ResponseCacheParts,
): (request: EngineRequest) => Promise<EngineResponse> {
  if (parts.responses.capacity === 0) return (request) => handle(pipeline, receive(pipeline, request))
  const cached = new CachedResponses(handle, pipeline, parts)
  return (request) => cached.respond(request)
}

class CachedResponses {
  readonly #handle: Handle
  readonly #pipeline: RequestPipeline
  readonly #parts: ResponseCacheParts
  readonly #utf8 = new TextEncoder()

  constructor(handle: Handle, pipeline: RequestPipeline, parts: ResponseCacheParts) {
    this.#handle = handle
    this.#pipeline = pipeline
    this.#parts = parts
  }

  async respond(request: EngineRequest): Promise<EngineResponse> {
    const pipeline = this.#pipeline
    if (!isCacheable(request)) return this.#handle(pipeline, receive(pipeline, request))
    const now = pipeline.options.host.now()
    const key = this.#keyOf(request)
    const entry = this.#parts.responses.get(key, ({ validity }) => validity.from <= now && now < validity.until)
    return (entry && (await this.#send(entry, request))) ?? this.#handleAndCache(key, request)
  }

  /**
   * Sends a cached response, after the stages that a cached response must pass too: the caller must still have the same
   * rights, and the request counts toward the rate limit.
   *
   * @returns undefined when a stage refuses the request: the pipeline then handles the request, refuses it again and
   *   reports the refusal.
   */
  async #send(entry: CachedResponse, request: EngineRequest): Promise<EngineResponse | undefined> {
    const { authenticator, limiter, options } = this.#pipeline
    const { headers, ifNoneMatch } = receive(this.#pipeline, request)
    try {
      const identified = authenticator.fromRequest(request)
      const { caller } = identified instanceof Promise ? await identified : identified
      // After a change of the roles, the caller is a new object although the token is the same.
      if (caller !== entry.caller) return undefined
      const limiting = limiter?.admit(caller.id, entry.operation.id, options.host.now(), headers)
      if (limiting) await limiting
    } catch {
      return undefined
    }
    const { etag, body, length } = entry
    if (etag !== undefined) setEtag(headers, etag)
    if (etag !== undefined && entry.isRevalidated && includesEtag(ifNoneMatch, etag)) {
      return { status: 304, headers, body: undefined }
    }
    headers['content-type'] = 'application/json'
    return { status: 200, headers, body, length }
  }

  async #handleAndCache(key: string, request: EngineRequest): Promise<EngineResponse> {
    const pipeline = this.#pipeline
    const tracker = this.#parts.invalidator.track()
    if (!tracker) return this.#handle(pipeline, receive(pipeline, request))
    const { joined } = pipeline.view
    const tracked = viewOver(pipeline.view, trackedReads(this.#parts.storage.reads, tracker))
    // Responses that are made of joined lists are not cached.
    const view = joined ? { ...tracked, joined } : tracked
    // The complete response is always made, so that it can be cached; `If-None-Match` is checked below.
    const call: ReceivedRequest & Partial<ExecutedCall> = receive(pipeline, request, { view, ifNoneMatch: undefined })
    const response = await this.#handle(pipeline, call)
    if (!isExecuted(call) || response.status >= 400) {
      tracker.stop()
      return response
    }
    this.#cache(key, call, response, tracker)
    if (!isNotModified(call, request.header('if-none-match'))) return response
    const { 'content-type': _, ...headers } = response.headers
    return { status: 304, headers, body: undefined }
  }

  #cache(key: string, call: ExecutedCall, response: EngineResponse, tracker: DependencyTracker): void {
    const { status, body, pieces } = response
    const { validity, etag, showsMore: more } = call.outcome
    if (!validity || status !== 200 || body === undefined || pieces) {
      tracker.stop()
      return
    }
    const { caller, operation } = call
    const { byteLength: length } = this.#utf8.encode(body)
    const entry = { caller, operation, body, length, etag, isRevalidated: !more, validity }
    this.#parts.responses.set(key, entry, key.length + length + entryBytes, tracker)
  }

  #keyOf(request: EngineRequest): string {
    const version = versionOf(this.#pipeline.options, request) ?? ''
    return `${request.header('authorization')}\n${version}\n${request.mountPath ?? ''}\n${request.path}?${request.query}`
  }
}

/**
 * A response to `If-Match` depends on the ETag, and is too rare to be cached. A response to a caller that the host may
 * name is not cached, because its key would not contain that caller.
 */
function isCacheable({ method, header, identify }: EngineRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && !identify && header('if-match') === undefined
}

function isExecuted(call: ReceivedRequest & Partial<ExecutedCall>): call is ReceivedRequest & ExecutedCall {
  return call.outcome !== undefined
}
