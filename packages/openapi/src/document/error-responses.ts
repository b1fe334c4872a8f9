import type { ErrorCode } from '@halyard/core'
import { errorTable, type Operation, pipelineErrorCodes } from '@halyard/core/operations'
import { pascal } from './name-schemas.ts'
import type { JsonSchema, Reference, ResponseObject } from './open-api-document.ts'

/** Descriptions of the situations in which each code is returned. */
const reasons: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'The request is invalid; `errors` lists each invalid attribute. Nothing was changed.',
  unauthorized: 'The access token is missing or not valid.',
  forbidden:
    'The caller is not permitted to do this, or the operation is in beta and the version header does not request beta.',
  not_found: 'The resource does not exist, or the caller may not view it.',
  method_not_allowed: 'The path does not support the method; `Allow` lists the supported ones.',
  optimistic_locking_error:
    'The resource was changed concurrently (`conflicts` lists the parts that both requests changed), a precondition of the request is not met, or its key exists already. Nothing was changed by this request.',
  updateSequenceId_conflict: 'This scan, or a later one, is already stored.',
  rate_limited: 'Too many requests; `Retry-After` is the number of seconds after which to try again.',
  not_implemented: 'The operation belongs to the reference API and is not served; the message says why.',
  service_unavailable: 'The storage cannot be reached.',
  internal_error: 'An unexpected error occurred.',
}

const codes = Object.keys(errorTable) as ErrorCode[]

/**
 * Statuses of invalid requests other than 400
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d1-error-status).
 */
const otherInvalidRequests = {
  413: 'The body is too large.',
  415: 'The media type of the body is not supported.',
} as const

/** The body of every error (docs/decisions/0001-follow-one-set-of-http-conventions.md#d3-error-body). */
export const errorSchema: JsonSchema = {
  type: 'object',
  properties: {
    code: { type: 'string', enum: codes },
    message: { type: 'string', description: 'A text for people, which may change.' },
    errors: {
      type: 'array',
      description: 'All validation errors of the request.',
      items: {
        type: 'object',
        properties: {
          attribute: { type: 'string', description: 'Name of a parameter, or path in the body.' },
          reason: { type: 'string', description: 'The rule that is violated, e.g. `must be present`.' },
        },
        required: ['attribute', 'reason'],
      },
    },
    conflicts: {
      type: 'array',
      description:
        'The parts that another request has changed concurrently and that this one would have overwritten. A value is missing where the part does not exist; secret values are always missing.',
      items: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'JSON Pointer in the response for the resource.' },
          base: { description: 'The value before both changes.' },
          yours: { description: 'The value that this request would have stored.' },
          theirs: { description: 'The value that the other request has stored.' },
        },
        required: ['path'],
      },
    },
    referrers: {
      type: 'array',
      description: 'The first 100 resources because of which another one cannot be deleted.',
      items: {
        type: 'object',
        properties: {
          kind: { type: 'string', description: 'Kind of resource, e.g. `token`.' },
          key: { type: 'string', description: 'Key or id of the resource.' },
          resource: { type: 'string', description: 'Resource specifier, e.g. `proj/web:env/production:flag/a`.' },
        },
        required: ['kind', 'key', 'resource'],
      },
    },
  },
  required: ['code', 'message'],
}

/** Returns one response component for each error. */
export function errorComponents(): Readonly<Record<string, ResponseObject>> {
  const codeResponses = codes.map((code): [string, ResponseObject] => [pascal(code), responseOf([code], reasons[code])])
  const otherResponses = Object.entries(otherInvalidRequests).map(([status, reason]): [string, ResponseObject] => [
    `InvalidRequest${status}`,
    responseOf(['invalid_request'], reason),
  ])
  return Object.fromEntries([...codeResponses, ...otherResponses])
}

/**
 * Returns the possible errors of an operation by status: the errors that it declares, and the errors of the pipeline
 * stages before it (docs/decisions/0001-follow-one-set-of-http-conventions.md#d7-errors-of-every-operation).
 * @returns references, and a separate response where several codes have the same status.
 */
export function errorResponsesOf(operation: Operation): Readonly<Record<string, ResponseObject | Reference>> {
  const possible = codes.filter((code) => canRespondWith(operation, code))
  const statuses = [...new Set(possible.map((code) => errorTable[code].status))]
  const responses = statuses.map((status): [string, ResponseObject | Reference] => {
    const codesOfStatus = possible.filter((code) => errorTable[code].status === status)
    if (codesOfStatus.length > 1)
      return [String(status), responseOf(codesOfStatus, codesOfStatus.map((code) => reasons[code]).join(' '))]
    return [String(status), reference(pascal(codesOfStatus[0] as string))]
  })
  const otherResponses = operation.body
    ? Object.keys(otherInvalidRequests).map((status): [string, Reference] => [
        status,
        reference(`InvalidRequest${status}`),
      ])
    : []
  return Object.fromEntries([...responses, ...otherResponses])
}

function canRespondWith({ errors, path, access }: Operation, code: ErrorCode): boolean {
  if (errors.includes(code)) return true
  switch (code) {
    // Requests with an unsupported method do not belong to any operation.
    case 'method_not_allowed':
      return false
    case 'not_found':
      return path.includes('{') || ('masked' in access && access.masked === true)
    default:
      // A version header with an unknown version is refused for every operation
      // (docs/decisions/0001-follow-one-set-of-http-conventions.md#d5-version-header).
      return (
        code === 'invalid_request' ||
        code === 'internal_error' ||
        (pipelineErrorCodes as readonly ErrorCode[]).includes(code)
      )
  }
}

const reference = (name: string): Reference => ({ $ref: `#/components/responses/${name}` })

function responseOf(possibleCodes: readonly ErrorCode[], description: string): ResponseObject {
  const examples = possibleCodes.map((code): [string, { value: unknown }] => [code, { value: exampleOf(code) }])
  return {
    description,
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/RequestId' },
      ...(possibleCodes.includes('rate_limited') ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {}),
    },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(examples),
      },
    },
  }
}

function exampleOf(code: ErrorCode): object {
  if (code !== 'invalid_request') return { code, message: errorTable[code].message }
  return { code, message: 'validation failed', errors: [{ attribute: 'limit', reason: 'must be at most 100' }] }
}
