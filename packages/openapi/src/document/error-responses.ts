import type { ErrorCode } from '@halyard/core'
import { errorTable, gateCodes, type Operation } from '@halyard/core/operations'
import { pascal } from './name-schemas.ts'
import type { JsonSchema, Reference, ResponseObject } from './open-api-document.ts'

/** When each code is answered. */
const reasons: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'The request is wrong; `errors` names each attribute that is. Nothing was changed.',
  unauthorized: 'There is no access token, or one that is not valid.',
  forbidden: 'The caller may not do this, or the operation is in beta and the version header does not ask for it.',
  not_found: 'There is no such thing, or none that the caller may see.',
  method_not_allowed: 'The path knows other methods, which `Allow` names.',
  optimistic_locking_error:
    'The thing was changed meanwhile, or its key is taken. Nothing was changed by this request.',
  updateSequenceId_conflict: 'This scan, or a later one, is stored already.',
  rate_limited: 'There were too many requests; `Retry-After` says in how many seconds to try again.',
  service_unavailable: 'The storage cannot be reached.',
  internal_error: 'Something unforeseen went wrong.',
}

const codes = Object.keys(errorTable) as ErrorCode[]

/** Statuses of faulty requests besides 400 (D1). */
const alsoInvalid = { 413: 'The body is too long.', 415: 'The body is of another media type.' } as const

/** The body of every error (D3). */
export const errorSchema: JsonSchema = {
  type: 'object',
  properties: {
    code: { type: 'string', enum: codes },
    message: { type: 'string', description: 'For people; it may change.' },
    errors: {
      type: 'array',
      description: 'Every fault of the request.',
      items: {
        type: 'object',
        properties: {
          attribute: { type: 'string', description: 'Name of a parameter, or path in the body.' },
          reason: { type: 'string', description: 'What is wrong with it, e.g. `must be present`.' },
        },
        required: ['attribute', 'reason'],
      },
    },
  },
  required: ['code', 'message'],
}

/** One response for each error, to be referred to. */
export function errorComponents(): Readonly<Record<string, ResponseObject>> {
  const plain = codes.map((code): [string, ResponseObject] => [pascal(code), responseOf([code], reasons[code])])
  const longer = Object.entries(alsoInvalid).map(([status, reason]): [string, ResponseObject] => [
    `InvalidRequest${status}`,
    responseOf(['invalid_request'], reason),
  ])
  return Object.fromEntries([...plain, ...longer])
}

/**
 * The errors that an operation can answer, by status: those of its card, and those of the doors before it (D7).
 *
 * @returns references, and a response of its own where several codes share a status.
 */
export function errorResponsesOf(operation: Operation): Readonly<Record<string, ResponseObject | Reference>> {
  const possible = codes.filter((code) => canAnswer(operation, code))
  const statuses = [...new Set(possible.map((code) => errorTable[code].status))]
  const responses = statuses.map((status): [string, ResponseObject | Reference] => {
    const same = possible.filter((code) => errorTable[code].status === status)
    if (same.length > 1) return [String(status), responseOf(same, same.map((code) => reasons[code]).join(' '))]
    return [String(status), reference(pascal(same[0] as string))]
  })
  const longer = operation.body
    ? Object.keys(alsoInvalid).map((status): [string, Reference] => [status, reference(`InvalidRequest${status}`)])
    : []
  return Object.fromEntries([...responses, ...longer])
}

function canAnswer({ errors, path, access }: Operation, code: ErrorCode): boolean {
  if (errors.includes(code)) return true
  switch (code) {
    // Other methods on the path are no operation of their own.
    case 'method_not_allowed':
      return false
    case 'not_found':
      return path.includes('{') || ('masked' in access && access.masked === true)
    default:
      // A version header that names no version is refused everywhere (D5).
      return (
        code === 'invalid_request' || code === 'internal_error' || (gateCodes as readonly ErrorCode[]).includes(code)
      )
  }
}

const reference = (name: string): Reference => ({ $ref: `#/components/responses/${name}` })

function responseOf(of: readonly ErrorCode[], description: string): ResponseObject {
  const examples = of.map((code): [string, { value: unknown }] => [code, { value: exampleOf(code) }])
  return {
    description,
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/RequestId' },
      ...(of.includes('rate_limited') ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {}),
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
