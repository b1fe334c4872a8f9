import type { ErrorBody, ErrorCode } from '@halyard/core'
import { errorTable, type Operation, pipelineErrorCodes } from '@halyard/core/operations'
import { storageUnavailable } from '@halyard/core/storage'
import { assert } from '../storage/assert.ts'
import { assertError } from '../transport/transport-case.ts'
import type { TransportHarness, TransportRequest, TransportResponse } from '../transport/transport-harness.ts'
import {
  operationWithBody,
  operationWithJsonBody,
  operationWithRawBody,
  operationWithRawJsonBody,
} from './body-cases.ts'
import { noExampleOf } from './example.ts'
import { examples } from './examples/index.ts'
import { invalidKeys, keyParams, unusualQueries, withUnknownKeys } from './invalid-input.ts'
import { mutatedRequests } from './mutated-requests.ts'
import { defineCase, defineUnchangingCase, type OperationCase, requestFor } from './operation-case.ts'
import { type OperationFixture, requestOf, withHeaders } from './operation-fixture.ts'
import { readingOperation, writingOperation } from './parameter-cases.ts'
import { codeOf, provokeByRecords, provokeErrors } from './provoke-errors.ts'
import { assertSuccess } from './success.ts'
import { unreachedErrors } from './unreached-errors.ts'

/** Operations that respond to every caller, with the reasons. */
const sameForAll: Readonly<Record<string, string>> = {
  getRoot: 'its links are the same for every caller',
  getVersions: 'the versions are the same for every caller',
  getCallerIdentity: 'it describes the caller to itself',
}

const revealing = 'reveals nothing to a caller without permissions'

async function revealNothing(fixture: OperationFixture, operation: Operation): Promise<void> {
  const request = withHeaders(await requestFor(fixture, operation), { authorization: fixture.powerlessToken })
  const response = await fixture.send(request)
  const { access } = operation
  if ('anonymous' in access || operation.id in sameForAll) return assertSuccess(operation, response)
  if (!('open' in access)) {
    const [status, code] = access.masked ? ([404, 'not_found'] as const) : ([403, 'forbidden'] as const)
    assertError(response, status, code)
  } else if (response.status === 200 && operation.method === 'GET') assertEmpty(JSON.parse(response.body))
  else assert.isTrue(response.status === 403 || response.status === 404, response.body)
  assertSuccess(operation, await fixture.send(withHeaders(request, await authorizationOf(fixture, operation))))
}

/** Cases for operations whose results depend on the rights of the caller to view resources. */
const openOperation: Readonly<Record<string, OperationCase>> = {
  [revealing]: defineCase(['storage'], revealNothing),
}

/** Rules for every operation. */
const everyOperation: Readonly<Record<string, OperationCase>> = {
  'succeeds with the declared response': defineCase(['storage', 'transport'], async (fixture, operation) => {
    assertSuccess(operation, await fixture.send(await requestFor(fixture, operation)))
  }),

  'requires a token': defineCase([], async (fixture, operation) => {
    const request = withHeaders(await requestFor(fixture, operation), { authorization: '' })
    // An operation without a caller has no other credential than the secret in its body.
    if ('anonymous' in operation.access) return assertSuccess(operation, await fixture.send(request))
    assertError(await fixture.send(request), 401, 'unauthorized')
    assertSuccess(operation, await fixture.send(withHeaders(request, await authorizationOf(fixture, operation))))
  }),

  [revealing]: defineCase([], revealNothing),

  'responds with 405 to other methods on its path': defineUnchangingCase([], async (fixture, operation) => {
    const shape = shapeOf(operation.path)
    const supportedMethods = fixture.engine.operations
      .filter(({ path }) => shapeOf(path) === shape)
      .map(({ method }) => method)
    const other = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS'].find(
      (method) => !(supportedMethods as string[]).includes(method),
    )
    const response = await fixture.send({
      ...(await requestFor(fixture, operation)),
      method: other as string,
      body: undefined,
    })
    assertError(response, 405, 'method_not_allowed')
    assert.deepEqual(response.headers.allow?.split(', ').sort(), [...supportedMethods].sort())
  }),

  'responds with 503 to a failure at any storage call, and changes nothing then': defineCase(
    [],
    async (fixture, operation) => {
      const request = await requestFor(fixture, operation)
      let callsBeforeFailure = 0
      const client = await fixture.openIntercepted(async (_, call) => {
        if (callsBeforeFailure-- <= 0) throw storageUnavailable('the storage is unavailable')
        return call()
      })
      try {
        let failureCount = 0
        let response = await client.send(request)
        while (response.status === 503) {
          assertError(response, 503, 'service_unavailable')
          // An operation that reads each project of the fixture makes too many calls to fail at each of them.
          callsBeforeFailure = ++failureCount > maxFailures ? Number.POSITIVE_INFINITY : failureCount
          response = await client.send(request)
        }
        assert.isTrue(failureCount > 0, 'the operation did not call the storage')
        assertSuccess(operation, response)
      } finally {
        await client.close()
      }
    },
  ),

  'handles concurrent identical requests one after another or refuses them': defineCase(
    ['storage'],
    async (fixture, operation) => {
      const request = await requestFor(fixture, operation)
      const responses = await Promise.all(Array.from({ length: 6 }, () => fixture.send(request)))
      const successes = responses.filter(({ status }) => status === operation.success.status)
      assert.isTrue(successes.length > 0, responses.map(({ body }) => body).join('\n'))
      for (const response of responses.filter(({ status }) => status >= 400)) {
        assert.isTrue([400, 404, 409].includes(response.status), response.body)
      }
      assertDeclaredCodes(operation, responses)
    },
  ),

  'fails with the declared errors only, and with each of them': defineCase([], async (fixture, operation) => {
    const codes = assertDeclaredCodes(operation, await provokeErrors(fixture, operation))
    const missing = operation.errors.filter((code) => !codes.has(code) && !codesOfOtherCases.has(code))
    assert.deepEqual(
      missing,
      Object.keys(unreachedErrors[operation.id] ?? {}),
      'declared error codes that did not occur',
    )
  }),

  'fails only with declared errors when the stored state refuses the call': defineCase(
    ['storage'],
    async (fixture, operation) => {
      assertDeclaredCodes(operation, await provokeByRecords(fixture, operation))
    },
  ),
}

/** Returns the error codes of responses, which the operation or the pipeline must declare. */
function assertDeclaredCodes({ errors }: Operation, responses: readonly TransportResponse[]): ReadonlySet<ErrorCode> {
  const codes = new Set(responses.map(codeOf).filter((code) => code !== undefined))
  const allowed: readonly string[] = [...errors, ...pipelineErrorCodes]
  assert.deepEqual(
    [...codes].filter((code) => !allowed.includes(code)),
    [],
    'undeclared error codes',
  )
  return codes
}

/** Rules with some requests that a body parser in front of the engine would refuse itself. */
const rawOperation: Readonly<Record<string, OperationCase>> = {
  'responds to any mutation of its request with a declared response': defineCase([], async (fixture, operation) => {
    for (const request of mutatedRequests(operation, await fixture.exampleOf(operation), mutations)) {
      const response = await fixture.send(request)
      if (response.status === operation.success.status) assertSuccess(operation, response)
      else assertDeclaredError(operation, response, request)
    }
    assertSuccess(operation, await fixture.send(await requestFor(fixture, operation)))
  }),
}

/** Number of mutations of each operation's request. */
const mutations = 16

/**
 * Asserts that an error is a documented one: its code is in the table and declared by this operation, and its status
 * belongs to the code.
 */
function assertDeclaredError({ id, errors }: Operation, response: TransportResponse, request: TransportRequest): void {
  const label = `${id}: the response to ${JSON.stringify(request).slice(0, 1000)} was ${response.status} ${response.body}`
  const { code, message, ...rest } = JSON.parse(response.body) as ErrorBody
  assert.isTrue([...errors, ...pipelineErrorCodes, 'invalid_request'].includes(code), label)
  const statuses: number[] = code === 'invalid_request' ? [400, 413, 415] : [errorTable[code].status]
  assert.isTrue(statuses.includes(response.status), label)
  assert.isTrue(typeof message === 'string' && message.length > 0, label)
  assert.deepEqual(
    Object.keys(rest).filter((name) => !['errors', 'conflicts', 'referrers'].includes(name)),
    [],
    label,
  )
}

/** Maximum number of storage calls at which an operation is made to fail. */
const maxFailures = 40

/** Errors that occur before an operation runs; other cases cover them. */
const codesOfOtherCases = new Set<ErrorCode>([
  'unauthorized',
  'method_not_allowed',
  'rate_limited',
  'service_unavailable',
])

const betaOperation: Readonly<Record<string, OperationCase>> = {
  'requires the beta header': defineCase([], async (fixture, operation) => {
    const request = await requestFor(fixture, operation)
    for (const version of ['', '20240415']) {
      const response = await fixture.send(withHeaders(request, { 'svc-api-version': version }))
      assert.isTrue(assertError(response, 403, 'forbidden').message.includes('SVC-API-Version: beta'))
    }
    assertSuccess(operation, await fixture.send(request))
  }),
}

const stableOperation: Readonly<Record<string, OperationCase>> = {
  'accepts every known API version': defineCase([], async (fixture, operation) => {
    for (const version of ['beta', '20160426', '20240415']) {
      const request = withHeaders(await requestFor(fixture, operation), { 'svc-api-version': version })
      assertSuccess(operation, await fixture.send(request))
    }
  }),
}

const operationWithKeys: Readonly<Record<string, OperationCase>> = {
  'responds with 404 to keys that no resource has': defineUnchangingCase([], async (fixture, operation) => {
    const example = await fixture.exampleOf(operation)
    for (const unknown of withUnknownKeys(keyParams(operation), example)) {
      const request = requestOf(operation, unknown)
      const response = await fixture.send(request)
      const advice = `the file that declares ${operation.id} must name the parent as \`within\`, or fail with not_found`
      assert.equal(response.status, 404, `${advice}: ${request.path} responded with ${response.body}`)
      assertError(response, 404, 'not_found')
    }
  }),

  'responds with 404 for invalid keys': defineUnchangingCase(['storage'], async (fixture, operation) => {
    const example = await fixture.exampleOf(operation)
    for (const name of keyParams(operation)) {
      for (const key of invalidKeys) {
        // A segment `..` would be resolved before the request is sent.
        const request = requestOf(operation, { ...example, params: { ...example.params, [name]: key } })
        const response = await fixture.send({ ...request, path: request.path.replace('/..', '/%2e%2e%2f') })
        assertError(response, 404, 'not_found')
      }
    }
  }),
}

const operationWithQuery: Readonly<Record<string, OperationCase>> = {
  'accepts any value of its query parameters, or refuses it with 400 or 404': defineCase(
    ['storage'],
    async (fixture, operation) => {
      const example = await fixture.exampleOf(operation)
      for (const unusual of unusualQueries(operation, example)) {
        // A request that creates something can succeed once only.
        const fresh = operation.method === 'GET' ? unusual : await fixture.exampleOf(operation)
        const response = await fixture.send(requestOf(operation, { ...fresh, query: unusual.query ?? {} }))
        if (response.status === operation.success.status) assertSuccess(operation, response)
        else if (response.status !== 404) assertError(response, 400, 'invalid_request')
      }
    },
  ),
}

/** Returns the cases that apply to an operation according to its definition. */
export function casesFor(
  operation: Operation,
  { hasBodyParser }: TransportHarness,
): Readonly<Record<string, OperationCase>> {
  if (!examples[operation.id]) return withoutExample
  const hasJsonBody = operation.body && operation.body.kind !== 'upload'
  return {
    ...everyOperation,
    ...('open' in operation.access ? openOperation : {}),
    ...(hasBodyParser ? {} : rawOperation),
    ...(operation.beta ? betaOperation : stableOperation),
    ...(keyParams(operation).length > 0 ? operationWithKeys : {}),
    ...(operation.method === 'GET' ? readingOperation : writingOperation),
    ...(operation.query ? operationWithQuery : {}),
    ...(operation.body ? operationWithBody : {}),
    ...(hasJsonBody ? operationWithJsonBody : {}),
    // A body parser in front of the engine does not read uploads.
    ...(operation.body && !(hasJsonBody && hasBodyParser) ? operationWithRawBody : {}),
    ...(hasJsonBody && !hasBodyParser ? operationWithRawJsonBody : {}),
  }
}

const withoutExample: Readonly<Record<string, OperationCase>> = {
  'has an example': defineCase(['storage', 'transport'], async (_, { id }) => assert.fail(noExampleOf(id))),
}

async function authorizationOf(fixture: OperationFixture, operation: Operation): Promise<{ authorization: string }> {
  const { authorization = '' } = (await requestFor(fixture, operation)).headers ?? {}
  return { authorization }
}

/** Returns the same text for paths that match the same requests. */
function shapeOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}')
}

/** Asserts that all lists are empty and all counts are 0. Links and the times of a response are allowed. */
function assertEmpty(body: Record<string, unknown>): void {
  const { _links, self, scoreMetadata, ...contents } = body
  assert.isTrue(isEmptyValue(contents), JSON.stringify(contents))
}

function isEmptyValue(value: unknown): boolean {
  return value === 0 || (typeof value === 'object' && value !== null && Object.values(value).every(isEmptyValue))
}
