import {
  ApiError,
  type EngineRequest,
  type EngineResponse,
  type InterceptedCall,
  type Interceptor,
} from '@halyard/core'
import { type Attributes, type Context, context, type Meter, propagation, SpanKind, trace } from '@opentelemetry/api'
import { type CallResult, durationHistogram, type End, type Telemetry } from './telemetry.ts'

/** HTTP's methods. Invented names are not recorded, because they would create metric series without limit. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'REPORT'])

/**
 * Returns the interceptor of calls. Spans of requests are named by the conventions for HTTP servers; spans of calls in
 * process are named after the operation.
 */
export function observeCalls(observe: Telemetry, meter: Meter): Interceptor {
  const requests = durationHistogram(meter, 'http.server.request.duration', 'Duration of requests to the API.')
  const calls = durationHistogram(meter, 'halyard.call.duration', 'Duration of calls in process.')
  return (call, run) => {
    const { operation, request } = call
    const operationAttributes = operation ? { 'halyard.operation': operation.id } : {}
    if (!request) {
      return observe({
        name: operation?.id ?? 'call',
        kind: SpanKind.INTERNAL,
        attributes: operationAttributes,
        duration: calls,
        run,
        describeEnd: (result) => describeCallEnd(operationAttributes, result),
      })
    }
    const attributes = { ...operationAttributes, ...requestAttributes(call, request) }
    return observe({
      name: operation ? `${request.method} ${operation.path}` : methodOf(request),
      kind: SpanKind.SERVER,
      attributes,
      within: parentContextOf(request),
      duration: requests,
      run,
      describeEnd: (result) => describeResponse(attributes, result),
    })
  }
}

function requestAttributes({ operation }: InterceptedCall, request: EngineRequest): Attributes {
  const method = { 'http.request.method': methodOf(request) }
  return operation ? { ...method, 'http.route': operation.path } : method
}

function methodOf({ method }: EngineRequest): string {
  return methods.has(method) ? method : '_OTHER'
}

/**
 * Returns the context of the span that the host has opened for the request. Without such a span, returns the context of
 * the span that the headers of the request name.
 */
function parentContextOf(request: EngineRequest): Context {
  const active = context.active()
  if (trace.getSpan(active)) return active
  return propagation.extract(active, request, {
    keys: () => [],
    get: ({ header }, name) => header.call(request, name.toLowerCase()),
  })
}

function describeResponse(attributes: Attributes, result: CallResult<unknown>): End {
  const status = 'value' in result ? (result.value as EngineResponse).status : 500
  const outcome = { 'http.response.status_code': status, ...(status >= 500 ? { 'error.type': String(status) } : {}) }
  return { measured: { ...attributes, ...outcome }, failed: status >= 500 }
}

function describeCallEnd(attributes: Attributes, result: CallResult<unknown>): End {
  if ('value' in result) return { measured: attributes, failed: false }
  const { error } = result
  const code = error instanceof ApiError ? error.code : 'internal_error'
  return {
    measured: { ...attributes, 'error.type': code },
    failed: !(error instanceof ApiError) || error.status >= 500,
  }
}
