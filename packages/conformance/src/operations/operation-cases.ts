import type { ErrorBody, ErrorCode } from '@halyard/core'
import { errorTable, gateCodes, type Operation } from '@halyard/core/operations'
import { storageUnavailable } from '@halyard/core/storage'
import { assert } from '../storage/assert.ts'
import { assertError } from '../transport/stage.ts'
import type { LineAnswer, LineRequest, TransportHarness } from '../transport/transport-harness.ts'
import {
  operationWithBody,
  operationWithJsonBody,
  operationWithRawBody,
  operationWithRawJsonBody,
} from './body-cases.ts'
import { examples } from './examples/index.ts'
import { keyParams, strangeKeys, strangeQueries, withUnknown } from './hostile-input.ts'
import { mutatedRequests } from './mutated-requests.ts'
import { examining, type OperationCase, requestFor } from './operation-case.ts'
import { codeOf, provokeErrors } from './reached-errors.ts'
import { assertSuccess } from './success.ts'
import { unreachedErrors } from './unreached-errors.ts'
import { requestOf, type World, withHeaders } from './world.ts'

/** Rules for every operation. */
const everyOperation: Readonly<Record<string, OperationCase>> = {
  'succeeds, and answers as declared': examining(['storage', 'transport'], async (world, operation) => {
    assertSuccess(operation, await world.send(await requestFor(world, operation)))
  }),

  'requires a token': examining(['transport'], async (world, operation) => {
    const request = withHeaders(await requestFor(world, operation), { authorization: '' })
    assertError(await world.send(request), 401, 'unauthorized')
    assertSuccess(operation, await world.send(withHeaders(request, await signature(world, operation))))
  }),

  'reveals nothing to a caller without permissions': examining(['storage'], async (world, operation) => {
    const request = withHeaders(await requestFor(world, operation), { authorization: world.powerlessToken })
    const answer = await world.send(request)
    const { access } = operation
    if (!('open' in access)) {
      const [status, code] = access.masked ? ([404, 'not_found'] as const) : ([403, 'forbidden'] as const)
      assertError(answer, status, code)
    } else if (answer.status === 200 && operation.method === 'GET') assertNothingShown(JSON.parse(answer.body))
    else assert.isTrue(answer.status === 403 || answer.status === 404, answer.body)
    assertSuccess(operation, await world.send(withHeaders(request, await signature(world, operation))))
  }),

  'responds with 405 to other methods on its path': examining(['transport'], async (world, operation) => {
    const shape = shapeOf(operation.path)
    const known = world.engine.operations.filter(({ path }) => shapeOf(path) === shape).map(({ method }) => method)
    const other = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS'].find(
      (method) => !(known as string[]).includes(method),
    )
    const answer = await world.send({
      ...(await requestFor(world, operation)),
      method: other as string,
      body: undefined,
    })
    assertError(answer, 405, 'method_not_allowed')
    assert.deepEqual(answer.headers.allow?.split(', ').sort(), [...known].sort())
  }),

  'responds with 503 to a failure at any storage call, and has then changed nothing': examining(
    [],
    async (world, operation) => {
      const request = await requestFor(world, operation)
      let left = 0
      const line = await world.intercepted(async (_, call) => {
        if (left-- <= 0) throw storageUnavailable('the storage is unavailable')
        return call()
      })
      try {
        let stops = 0
        let answer = await line.send(request)
        while (answer.status === 503) {
          assertError(answer, 503, 'service_unavailable')
          // An operation that reads each project of the fixture makes too many calls to fail at each of them.
          left = ++stops > mostStops ? Number.POSITIVE_INFINITY : stops
          answer = await line.send(request)
        }
        assert.isTrue(stops > 0, 'the operation did not call the storage')
        assertSuccess(operation, answer)
      } finally {
        await line.close()
      }
    },
  ),

  'handles concurrent identical requests one after another or refuses them': examining(['storage'], async (world, operation) => {
    const request = await requestFor(world, operation)
    const answers = await Promise.all(Array.from({ length: 6 }, () => world.send(request)))
    const done = answers.filter(({ status }) => status === operation.success.status)
    assert.isTrue(done.length > 0, answers.map(({ body }) => body).join('\n'))
    for (const answer of answers.filter(({ status }) => status >= 400)) {
      assert.isTrue([400, 404, 409].includes(answer.status), answer.body)
    }
  }),

  'ignores unknown query parameters': examining(['transport'], async (world, operation) => {
    const example = await world.exampleOf(operation)
    const query = { ...example.query, unknown: 'x', __proto__x: '1' }
    assertSuccess(operation, await world.send(requestOf(operation, { ...example, query })))
  }),

  'answers with the errors that it declares, and with all of them': examining(['storage'], async (world, operation) => {
    const answers = await provokeErrors(world, operation)
    const codes = new Set(answers.map(codeOf).filter((code) => code !== undefined))
    const allowed: readonly string[] = [...operation.errors, ...gateCodes]
    assert.deepEqual(
      [...codes].filter((code) => !allowed.includes(code)),
      [],
      'undeclared error codes',
    )
    const missing = operation.errors.filter((code) => !codes.has(code) && !elsewhereReached.has(code))
    assert.deepEqual(missing, Object.keys(unreachedErrors[operation.id] ?? {}), 'declared error codes that did not occur')
  }),
}

/** Rules to some of whose requests a body parser in front would respond itself. */
const rawOperation: Readonly<Record<string, OperationCase>> = {
  'responds to any mutation of its request with a declared response': examining([], async (world, operation) => {
    for (const request of mutatedRequests(operation, await world.exampleOf(operation), mutations)) {
      const answer = await world.send(request)
      if (answer.status === operation.success.status) assertSuccess(operation, answer)
      else assertPlainError(operation, answer, request)
    }
    assertSuccess(operation, await world.send(await requestFor(world, operation)))
  }),
}

/** Number of mutations of each operation's request. */
const mutations = 16

/**
 * Asserts that an error is a documented one: its code is in the table and declared by this operation, and its status
 * belongs to the code.
 */
function assertPlainError({ id, errors }: Operation, answer: LineAnswer, request: LineRequest): void {
  const what = `${id}: the response to ${JSON.stringify(request).slice(0, 1000)} was ${answer.status} ${answer.body}`
  const { code, message, ...rest } = JSON.parse(answer.body) as ErrorBody
  assert.isTrue([...errors, ...gateCodes, 'invalid_request'].includes(code), what)
  const statuses: number[] = code === 'invalid_request' ? [400, 413, 415] : [errorTable[code].status]
  assert.isTrue(statuses.includes(answer.status), what)
  assert.isTrue(typeof message === 'string' && message.length > 0, what)
  assert.deepEqual(
    Object.keys(rest).filter((name) => name !== 'errors'),
    [],
    what,
  )
}

/** Maximum number of storage calls at which an operation is made to fail. */
const mostStops = 40

/** Errors that occur before an operation runs; other cases cover them. */
const elsewhereReached = new Set<ErrorCode>([
  'unauthorized',
  'method_not_allowed',
  'rate_limited',
  'service_unavailable',
])

const betaOperation: Readonly<Record<string, OperationCase>> = {
  'requires the beta header': examining(['transport'], async (world, operation) => {
    const request = await requestFor(world, operation)
    for (const version of ['', '20240415']) {
      const refused = await world.send(withHeaders(request, { 'svc-api-version': version }))
      assert.isTrue(assertError(refused, 403, 'forbidden').message.includes('SVC-API-Version: beta'))
    }
    assertSuccess(operation, await world.send(request))
  }),
}

const stableOperation: Readonly<Record<string, OperationCase>> = {
  'accepts every known API version': examining([], async (world, operation) => {
    for (const version of ['beta', '20160426', '20240415']) {
      const request = withHeaders(await requestFor(world, operation), { 'svc-api-version': version })
      assertSuccess(operation, await world.send(request))
    }
  }),
}

const operationWithKeys: Readonly<Record<string, OperationCase>> = {
  'responds with 404 to keys that no resource has': examining(['storage'], async (world, operation) => {
    const example = await world.exampleOf(operation)
    for (const unknown of withUnknown(keyParams(operation), example)) {
      assertError(await world.send(requestOf(operation, unknown)), 404, 'not_found')
    }
  }),

  'responds with 404 for invalid keys': examining(['storage', 'transport'], async (world, operation) => {
    const example = await world.exampleOf(operation)
    for (const name of keyParams(operation)) {
      for (const key of strangeKeys) {
        // A segment `..` would be resolved before the request is sent.
        const request = requestOf(operation, { ...example, params: { ...example.params, [name]: key } })
        const answer = await world.send({ ...request, path: request.path.replace('/..', '/%2e%2e%2f') })
        assertError(answer, 404, 'not_found')
      }
    }
  }),
}

const operationWithQuery: Readonly<Record<string, OperationCase>> = {
  'accepts or refuses any value of its query parameters': examining(['storage'], async (world, operation) => {
    const example = await world.exampleOf(operation)
    for (const strange of strangeQueries(operation, example)) {
      const answer = await world.send(requestOf(operation, strange))
      if (answer.status === operation.success.status) assertSuccess(operation, answer)
      else if (answer.status !== 404) assertError(answer, 400, 'invalid_request')
    }
  }),
}

/** Returns the cases for an operation, which follow from its definition. */
export function casesFor(
  operation: Operation,
  { parserInFront }: TransportHarness,
): Readonly<Record<string, OperationCase>> {
  if (!examples[operation.id]) return withoutExample
  const hasJsonBody = operation.body && operation.body.kind !== 'upload'
  return {
    ...everyOperation,
    ...(parserInFront ? {} : rawOperation),
    ...(operation.beta ? betaOperation : stableOperation),
    ...(keyParams(operation).length > 0 ? operationWithKeys : {}),
    ...(operation.query ? operationWithQuery : {}),
    ...(operation.body ? operationWithBody : {}),
    ...(hasJsonBody ? operationWithJsonBody : {}),
    // A body parser in front does not read uploads.
    ...(operation.body && !(hasJsonBody && parserInFront) ? operationWithRawBody : {}),
    ...(hasJsonBody && !parserInFront ? operationWithRawJsonBody : {}),
  }
}

const withoutExample: Readonly<Record<string, OperationCase>> = {
  'has an example': examining(['storage', 'transport'], async (_, { id }) =>
    assert.fail(`no example of ${id}: add one to examples/`),
  ),
}

async function signature(world: World, operation: Operation): Promise<{ authorization: string }> {
  const { authorization = '' } = (await requestFor(world, operation)).headers ?? {}
  return { authorization }
}

/** Returns the same text for paths that match the same requests. */
function shapeOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}')
}

/** Asserts that all lists are empty and all counts are 0. Links and the times of a response are allowed. */
function assertNothingShown(body: Record<string, unknown>): void {
  const { _links, self, scoreMetadata, ...shown } = body
  assert.isTrue(isNothing(shown), JSON.stringify(shown))
}

function isNothing(value: unknown): boolean {
  return value === 0 || (typeof value === 'object' && value !== null && Object.values(value).every(isNothing))
}
