import type { Host } from '../../operation/context.ts'
import type { EngineRequest } from '../../operation/engine-request.ts'
import type { EvaluationContext } from '../../rules/evaluation/subject.ts'
import { ofrepContext, type ParsedOfrepContext } from '../../rules/ofrep/ofrep-context.ts'
import { type OfrepError, ofrepEvaluation } from '../../rules/ofrep/ofrep-evaluation.ts'
import type { EvaluatorHandle } from '../evaluation/evaluator.ts'
import { isAvailableTo } from './available-flags.ts'
import { type ClientParts, requireProof } from './client-query.ts'
import { json, type SdkResponse } from './sdk-response.ts'

/** Time after which a client without activity closes its change stream, seconds. */
const inactivityDelaySec = 120

/** Maximum size of a context, bytes. */
const maxContextBytes = 64 * 1024

/** A request of the OpenFeature Remote Evaluation Protocol 0.2 with a valid key. */
export interface OfrepRequest extends ClientParts {
  readonly request: EngineRequest
}

/** A response, and the context of the request. The context is undefined when it was not valid. */
export interface OfrepResponse {
  readonly response: SdkResponse
  readonly context: EvaluationContext | undefined
}

/**
 * Evaluates one flag.
 *
 * @returns the response, and the variation that it serves: an index, null for the caller's default; undefined when
 *   nothing was evaluated.
 */
export async function ofrepFlag(
  parts: OfrepRequest,
  flagKey: string,
): Promise<OfrepResponse & { readonly served: number | null | undefined }> {
  const { context, error } = await readContext(parts)
  if (error) return { response: failure(400, { key: flagKey, ...error }), context, served: undefined }
  const { kind, handle } = parts
  if (!isAvailableTo(kind, handle, flagKey)) {
    const errorDetails = `There is no flag ${flagKey}`
    const response = failure(404, { key: flagKey, errorCode: 'FLAG_NOT_FOUND', errorDetails })
    return { response, context, served: undefined }
  }
  const result = handle.evaluator.peek(flagKey, context, undefined)
  const evaluation = ofrepEvaluation(flagKey, result, namesOf(handle, flagKey))
  const response = 'errorCode' in evaluation ? failure(400, evaluation) : json(JSON.stringify(evaluation))
  return { response, context, served: result.variationIndex }
}

/**
 * Evaluates all flags that the key may evaluate. The response has an ETag, and names the stream that reports changes.
 */
export async function ofrepFlags(host: Host, parts: OfrepRequest): Promise<OfrepResponse> {
  const { context, error } = await readContext(parts)
  if (error) return { response: failure(400, error), context }
  const { request, kind, handle } = parts
  const results = handle.evaluator.evaluateAll(context, kind === 'server' ? {} : { clientSide: kind })
  const flags = Object.entries(results)
    .filter(([flagKey]) => isAvailableTo(kind, handle, flagKey))
    .map(([flagKey, result]) => ofrepEvaluation(flagKey, result, namesOf(handle, flagKey)))
  const environmentId = handle.cached.content()?.environment.id
  const requestUri = `${request.mountPath ?? ''}/ofrep/v1/changes/${environmentId}`
  const text = JSON.stringify({ flags, eventStreams: [{ type: 'sse', endpoint: { requestUri }, inactivityDelaySec }] })
  const response = { ...json(text), etag: `"${(await host.sha256(text)).slice(0, 32)}"` }
  return { response, context }
}

function namesOf({ evaluator }: EvaluatorHandle, flagKey: string): readonly (string | undefined)[] {
  return evaluator.describe(flagKey)?.variationNames ?? []
}

async function readContext({ request, kind, handle, serverKeys }: OfrepRequest): Promise<ParsedOfrepContext> {
  const parsed = ofrepContext(await readJson(request))
  const { context, error } = parsed
  if (error) return parsed
  if (kind === 'environmentId' && handle.cached.content()?.environment.secureMode) {
    await requireProof(context, new URLSearchParams(request.query).get('h') ?? '', serverKeys())
  }
  await handle.evaluator.lookUpBigSegments(context)
  handle.recent.add(context)
  return parsed
}

/** Returns undefined for a body that is too long or not JSON. */
async function readJson({ body }: EngineRequest): Promise<unknown> {
  if (body.kind === 'parsed') return body.value
  const text = await body.text(maxContextBytes)
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function failure(status: 400 | 404, error: OfrepError): SdkResponse {
  return { ...json(JSON.stringify(error)), status }
}
