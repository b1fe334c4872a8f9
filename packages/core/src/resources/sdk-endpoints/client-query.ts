import type { EngineRequest } from '../../operation/engine-request.ts'
import { fail } from '../../operation/errors.ts'
import type { EvaluationContext } from '../../rules/evaluation/index.ts'
import { isSameSecret, secureModeHash } from '../../rules/sdk-protocol/secure-mode.ts'
import type { EvaluatorHandle } from '../evaluation/evaluator.ts'
import type { ClientQuery } from './client-text.ts'
import { readContext } from './read-context.ts'
import type { KeyKind } from './sdk-keys.ts'
import type { SdkRoute } from './sdk-routes.ts'

/** The client of a request: the kind of its key, the SDK keys that are valid in its environment, and the evaluator. */
export interface ClientParts {
  /** Kind of the key, which decides which flags the client may evaluate. */
  readonly kind: KeyKind
  readonly handle: EvaluatorHandle
  /** Returns the SDK keys with which servers may have made the secure-mode hash of a context. */
  serverKeys(): readonly string[]
}

/**
 * Reads the context that a client-side SDK requests values for, and looks up its big segments.
 *
 * @throws ApiError `invalid_request` for a request without a valid context, and in secure mode without the right hash.
 */
export async function readClientQuery(
  request: EngineRequest,
  { params }: SdkRoute,
  { kind, handle: { cached, evaluator }, serverKeys }: ClientParts,
): Promise<ClientQuery> {
  const context = await readContext(request, params.context)
  const query = new URLSearchParams(request.query)
  if (kind === 'environmentId' && cached.content()?.environment.secureMode) {
    await requireProof(context, query.get('h') ?? '', serverKeys())
  }
  await evaluator.lookUpBigSegments(context)
  const reasons = query.get('withReasons') === 'true'
  return { context, reasons, clientSide: kind === 'mobile' ? 'mobile' : 'environmentId' }
}

/**
 * Requires the secure-mode hash of a context, made with one of the SDK keys. A server that uses an old or an additional
 * SDK key computes hashes with that key.
 *
 * @throws ApiError `invalid_request` for another hash.
 */
export async function requireProof(
  context: EvaluationContext,
  hash: string,
  serverKeys: readonly string[],
): Promise<void> {
  for (const key of serverKeys) {
    const expected = await secureModeHash(context, key)
    if (expected !== undefined && isSameSecret(hash, expected)) return
  }
  fail('invalid_request', {
    message: 'The environment is in secure mode, and the hash of the context is wrong',
  })
}
