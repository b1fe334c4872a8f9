import { ApiError, type EngineRequest, type EngineResponse } from '@halyard/core'

/** Maximum size of the body of a request to the console, bytes. */
const bodyLimit = 1_048_576

/** Makes a response with a JSON body that no cache stores. */
export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): EngineResponse {
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
    body: JSON.stringify(body),
  }
}

/** Makes the response to an error: the response of the API to an `ApiError`, or 500 without the cause. */
export function errorResponse(error: unknown): EngineResponse {
  if (error instanceof ApiError) return json(error.status, error.body)
  return json(500, { code: 'internal_error', message: 'The request could not be handled' })
}

/** Makes the response of a request whose input is invalid. */
export function invalid(attribute: string, reason: string): EngineResponse {
  return json(400, { code: 'invalid_request', message: 'Invalid request', errors: [{ attribute, reason }] })
}

/** Reads the JSON object in the body of a request; undefined when the body is something else. */
export async function readObject({ body }: EngineRequest): Promise<Readonly<Record<string, unknown>> | undefined> {
  const value = body.kind === 'parsed' ? body.value : parse(await body.text(bodyLimit))
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined
}

function parse(text = ''): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
