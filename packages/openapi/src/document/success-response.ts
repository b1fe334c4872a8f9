import type { Operation } from '@halyard/core/operations'
import type { OperationExample } from './examples.ts'
import type { JsonSchema, Reference, ResponseObject } from './open-api-document.ts'

/** Response headers that are referenced. */
export const headerComponents = {
  RequestId: {
    description: "The id of the request: the caller's own `X-Request-Id` if it sent a valid one.",
    schema: { type: 'string' },
  },
  ETag: {
    description: 'The version of the resource, for `If-Match` and `If-None-Match`.',
    schema: { type: 'string' },
  },
  Location: { description: 'Path of the new resource.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds after which the next request is accepted.', schema: { type: 'integer' } },
  RateLimit: {
    description:
      'Number of remaining requests, of the account and of the caller for this operation, and the seconds until the limit is reset.',
    schema: { type: 'string' },
  },
  RateLimitPolicy: { description: 'Number of requests that a window allows.', schema: { type: 'string' } },
} as const satisfies Record<string, { description: string; schema: JsonSchema }>

const headerReference = (name: keyof typeof headerComponents): Reference => ({ $ref: `#/components/headers/${name}` })

/**
 * Returns the response object of a successful call.
 * @param schema schema of the response body, with references to named parts; undefined when the response has no body.
 */
export function successOf(
  { success: { status, mediaType } }: Operation,
  schema: JsonSchema | undefined,
  example?: OperationExample,
): ResponseObject {
  const response = { description: descriptions[status] as string, headers: headersOf(example) }
  if (!schema) return response
  const examples = example?.response === undefined ? {} : { examples: { example: { value: example.response } } }
  const content =
    mediaType === undefined ? { 'application/json': { schema, ...examples } } : { [mediaType]: { schema, ...examples } }
  return { ...response, content }
}

function headersOf(example: OperationExample | undefined): Readonly<Record<string, Reference>> {
  const headers: Record<string, Reference> = { 'X-Request-Id': headerReference('RequestId') }
  if (example?.headers.etag !== undefined) headers.ETag = headerReference('ETag')
  if (example?.headers.location !== undefined) headers.Location = headerReference('Location')
  return { ...headers, RateLimit: headerReference('RateLimit'), 'RateLimit-Policy': headerReference('RateLimitPolicy') }
}

const descriptions: Readonly<Record<number, string>> = {
  200: 'Success.',
  201: 'The resource was created.',
  204: 'Success, without a response body.',
}
