import type { Operation } from '@halyard/core/operations'
import type { OperationExample } from './examples.ts'
import type { JsonSchema, Reference, ResponseObject } from './open-api-document.ts'

/** Headers of answers, to be referred to. */
export const headerComponents = {
  RequestId: {
    description: "The request's id: the caller's own `X-Request-Id` where there was one.",
    schema: { type: 'string' },
  },
  ETag: {
    description: 'The version of the thing, for `If-Match` and `If-None-Match`.',
    schema: { type: 'string' },
  },
  Location: { description: 'Where the new thing is.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds until the next request is taken.', schema: { type: 'integer' } },
  RateLimit: {
    description:
      'How many requests are left, of the account and of the caller to this operation, and for how many seconds.',
    schema: { type: 'string' },
  },
  RateLimitPolicy: { description: 'How many requests a window allows.', schema: { type: 'string' } },
} as const satisfies Record<string, { description: string; schema: JsonSchema }>

const header = (name: keyof typeof headerComponents): Reference => ({ $ref: `#/components/headers/${name}` })

/**
 * What an operation answers when it succeeds.
 *
 * @param schema of the answer's body, with its parts named; undefined where there is none.
 */
export function successOf(
  { success: { status, mediaType } }: Operation,
  schema: JsonSchema | undefined,
  example?: OperationExample,
): ResponseObject {
  const response = { description: descriptions[status] as string, headers: headersOf(example) }
  if (!schema) return response
  const examples = example?.answer === undefined ? {} : { examples: { example: { value: example.answer } } }
  const content =
    mediaType === undefined ? { 'application/json': { schema, ...examples } } : { [mediaType]: { schema, ...examples } }
  return { ...response, content }
}

function headersOf(example: OperationExample | undefined): Readonly<Record<string, Reference>> {
  const headers: Record<string, Reference> = { 'X-Request-Id': header('RequestId') }
  if (example?.headers.etag !== undefined) headers.ETag = header('ETag')
  if (example?.headers.location !== undefined) headers.Location = header('Location')
  return { ...headers, RateLimit: header('RateLimit'), 'RateLimit-Policy': header('RateLimitPolicy') }
}

const descriptions: Readonly<Record<number, string>> = {
  200: 'It succeeded.',
  201: 'It was created.',
  204: 'It succeeded, and there is nothing to tell.',
}
