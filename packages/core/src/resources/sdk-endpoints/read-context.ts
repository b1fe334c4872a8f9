import type { EngineRequest } from '../../operation/engine-request.ts'
import { fail } from '../../operation/errors.ts'
import type { EvaluationContext } from '../../rules/evaluation/index.ts'
import { contextOfBase64, contextOfJson } from '../../rules/sdk-protocol/context-of-text.ts'

/** Bytes of a context in a body. */
const mostContextBytes = 64 * 1024

/**
 * Reads the context that a client-side SDK asks for.
 *
 * @param inPath as it stands in the path; undefined where the body has it.
 * @throws ApiError `invalid_request` for what is none, 413 where it is longer than 64 KiB.
 */
export async function readContext(request: EngineRequest, inPath: string | undefined): Promise<EvaluationContext> {
  const context = inPath === undefined ? await inBody(request) : contextOfBase64(inPath)
  return context ?? fail('invalid_request', { message: 'What was sent is no context' })
}

async function inBody({ body }: EngineRequest): Promise<EvaluationContext | undefined> {
  if (body.kind === 'parsed') return contextOfJson(JSON.stringify(body.value) ?? '')
  const text = await body.text(mostContextBytes)
  if (text === undefined) fail('invalid_request', { status: 413, message: 'The context has more than 64 KiB' })
  return contextOfJson(text as string)
}
