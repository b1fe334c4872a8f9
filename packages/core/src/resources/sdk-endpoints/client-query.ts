import { type Environment, sdkKeysAt } from '../../models/environments/environment.ts'
import type { Host } from '../../operation/context.ts'
import type { EngineRequest } from '../../operation/engine-request.ts'
import { fail } from '../../operation/errors.ts'
import type { EvaluationContext } from '../../rules/evaluation/index.ts'
import { isSameSecret, secureModeHash } from '../../rules/sdk-protocol/secure-mode.ts'
import type { EvaluatorHandle } from '../evaluation/evaluator.ts'
import type { ClientQuery } from './client-text.ts'
import { readContext } from './read-context.ts'
import type { KeyKind } from './sdk-keys.ts'
import type { SdkRoute } from './sdk-routes.ts'

/**
 * Reads the context that a client-side SDK requests values for, and looks up its big segments.
 *
 * @throws ApiError `invalid_request` for a request without a valid context, and in secure mode without the right hash.
 */
export async function readClientQuery(
  host: Host,
  request: EngineRequest,
  key: KeyKind,
  { params }: SdkRoute,
  { cached, evaluator }: EvaluatorHandle,
): Promise<ClientQuery> {
  const context = await readContext(request, params.context)
  const query = new URLSearchParams(request.query)
  const environment = cached.content()?.environment
  if (key === 'environmentId' && environment?.secureMode) {
    await requireProof(host, context, query.get('h') ?? '', environment)
  }
  await evaluator.lookUpBigSegments(context)
  const reasons = query.get('withReasons') === 'true'
  return { context, reasons, clientSide: key === 'mobile' ? 'mobile' : 'environmentId' }
}

/**
 * Requires the secure-mode hash of a context. Servers with the old SDK key still compute hashes with it.
 *
 * @throws ApiError `invalid_request` for another hash.
 */
export async function requireProof(
  host: Host,
  context: EvaluationContext,
  hash: string,
  environment: Environment,
): Promise<void> {
  for (const key of sdkKeysAt(environment, host.now())) {
    const expected = await secureModeHash(context, key)
    if (expected !== undefined && isSameSecret(hash, expected)) return
  }
  fail('invalid_request', {
    message: 'The environment is in secure mode, and the hash of the context is wrong',
  })
}
