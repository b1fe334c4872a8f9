import type { Caller } from '../operation/caller.ts'
import type { EngineOptions } from '../operation/engine-options.ts'
import type { Operation } from '../operation/operation.ts'
import type { WireAnswer, WireRequest } from '../operation/wire.ts'
import type { CacheFigures, FreshCache } from '../storage/fresh-cache.ts'
import type { Trail } from '../storage/trail.ts'
import type { Period } from './call-context.ts'
import { isKnown } from './encode.ts'
import type { Outcome } from './run.ts'
import { versionOf } from './version.ts'

type Headers = Record<string, string>

/** The answer to a GET, ready to be sent to the same caller again. */
export interface RememberedAnswer {
  readonly caller: Caller
  readonly operation: Operation
  readonly answer: WireAnswer
  /** The ETag by which a caller may know the answer already. */
  readonly etag: string | undefined
  readonly holds: Period
}

export interface RememberedAnswers {
  /** Whether there is room for any. */
  readonly remembers: boolean
  /** What the caller was answered to the same request, if it is still so. */
  find(request: WireRequest, caller: Caller, now: number): RememberedAnswer | undefined
  /**
   * Remembers an answer, if it is one that holds for more than this call.
   *
   * @param trail what it was made from; it is taken care of in any case.
   */
  keep(
    request: WireRequest,
    asked: Pick<RememberedAnswer, 'caller' | 'operation'>,
    made: { readonly outcome: Outcome; readonly answer: WireAnswer },
    trail: Trail,
  ): void
  figures(): CacheFigures
}

/** What an entry takes besides its text: headers, its places in the cache and among those that are told of changes. */
const entryBytes = 1024

/** Makes the memory of answers over a cache that is bounded in bytes. */
export function rememberedAnswers(options: EngineOptions, cache: FreshCache<RememberedAnswer>): RememberedAnswers {
  const utf8 = new TextEncoder()

  function placeOf(request: WireRequest, caller: Caller): string {
    return `${caller.id}\n${versionOf(options, request) ?? ''}\n${request.path}?${request.query}`
  }

  return {
    remembers: cache.bound > 0,
    find(request, caller, now) {
      // Whoever got other roles is another caller, though the token is the same.
      const fits = ({ caller: asked, holds }: RememberedAnswer) =>
        asked === caller && holds.from <= now && now < holds.until
      return cache.get(placeOf(request, caller), fits)
    },
    keep(request, { caller, operation }, { outcome, answer }, trail) {
      const { body, pieces, status } = answer
      const { holds, etag, more } = outcome
      if (!holds || status !== 200 || body === undefined || pieces) return trail.end()
      const place = placeOf(request, caller)
      const length = utf8.encode(body).byteLength
      const entry = { caller, operation, answer: { ...answer, length }, etag: more ? undefined : etag, holds }
      cache.keep(place, entry, place.length + length + entryBytes, trail)
    },
    figures: cache.figures,
  }
}

/**
 * An answer as it goes out now.
 *
 * @param headers those of the one request; the answer's own are added to them.
 */
export function sentAgain(
  { answer, etag }: Pick<RememberedAnswer, 'answer' | 'etag'>,
  request: WireRequest,
  headers: Headers,
): WireAnswer {
  if (etag !== undefined && isKnown(request.header('if-none-match'), etag)) {
    headers.etag = etag
    return { status: 304, headers, body: undefined }
  }
  // Spelled out, as it is done for every request that is answered from memory.
  const { status, body, length, pieces } = answer
  for (const name in answer.headers) headers[name] = answer.headers[name] as string
  return pieces ? { status, headers, body, pieces } : { status, headers, body, length }
}
