import type { EngineRequest } from '../../operation/engine-request.ts'
import { fail } from '../../operation/errors.ts'
import type { EvaluationContext } from '../../rules/evaluation/index.ts'
import { contextOfBase64, contextOfJson } from '../../rules/sdk-protocol/context-of-text.ts'

/** Maximum size of a context in a body, in bytes. */
const maxContextBytes = 64 * 1024

/**
 * Reads the context of a client-side SDK.
 *
 * @param pathSegment the context in the path; undefined when it is in the body.
 * @throws ApiError `invalid_request` for an invalid context, 413 when it is longer than 64 KiB.
 */
export async function readContext(request: EngineRequest, pathSegment: string | undefined): Promise<EvaluationContext> {
  const context = pathSegment === undefined ? await contextInBody(request) : contextOfBase64(pathSegment)
  return context ?? fail('invalid_request', { message: 'The request contains no valid context' })
}

async function contextInBody({ body }: EngineRequest): Promise<EvaluationContext | undefined> {
  if (body.kind === 'parsed') return contextOfJson(JSON.stringify(body.value) ?? '')
  const text = await body.text(maxContextBytes)
  if (text === undefined) fail('invalid_request', { status: 413, message: 'The context has more than 64 KiB' })
  return contextOfJson(text as string)
}
