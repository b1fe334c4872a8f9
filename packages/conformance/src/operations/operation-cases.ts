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

/** What holds for every operation, whatever it does. */
const everyOperation: Readonly<Record<string, OperationCase>> = {
  'succeeds, and answers as declared': examining(['storage', 'transport'], async (world, operation) => {
    assertSuccess(operation, await world.send(await requestFor(world, operation)))
  }),

  'wants a token': examining(['transport'], async (world, operation) => {
    const request = withHeaders(await requestFor(world, operation), { authorization: '' })
    assertError(await world.send(request), 401, 'unauthorized')
    assertSuccess(operation, await world.send(withHeaders(request, await signature(world, operation))))
  }),

  'gives nothing to a caller who may do nothing': examining(['storage'], async (world, operation) => {
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

  'knows no other method on its path': examining(['transport'], async (world, operation) => {
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

  'answers at any storage failure that it is unavailable, and has then done nothing': examining(
    [],
    async (world, operation) => {
      const request = await requestFor(world, operation)
      let left = 0
      const line = await world.intercepted(async (_, call) => {
        if (left-- <= 0) throw storageUnavailable('the storage is gone')
        return call()
      })
      try {
        let stops = 0
        let answer = await line.send(request)
        while (answer.status === 503) {
          assertError(answer, 503, 'service_unavailable')
          // What asks for each project of the world asks too often to be stopped at every call.
          left = ++stops > mostStops ? Number.POSITIVE_INFINITY : stops
          answer = await line.send(request)
        }
        assert.isTrue(stops > 0, 'it asked the storage nothing')
        assertSuccess(operation, answer)
      } finally {
        await line.close()
      }
    },
  ),

  'sent many times at once, does it in order or is refused': examining(['storage'], async (world, operation) => {
    const request = await requestFor(world, operation)
    const answers = await Promise.all(Array.from({ length: 6 }, () => world.send(request)))
    const done = answers.filter(({ status }) => status === operation.success.status)
    assert.isTrue(done.length > 0, answers.map(({ body }) => body).join('\n'))
    for (const answer of answers.filter(({ status }) => status >= 400)) {
      assert.isTrue([400, 404, 409].includes(answer.status), answer.body)
    }
  }),

  'ignores query parameters that it does not know': examining(['transport'], async (world, operation) => {
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
      'not declared',
    )
    const missing = operation.errors.filter((code) => !codes.has(code) && !elsewhereReached.has(code))
    assert.deepEqual(missing, Object.keys(unreachedErrors[operation.id] ?? {}), 'not reached')
  }),
}

/** What a body parser in front would answer some of for itself. */
const rawOperation: Readonly<Record<string, OperationCase>> = {
  'answers any mutation of its request with what it declares': examining([], async (world, operation) => {
    for (const request of mutatedRequests(operation, await world.exampleOf(operation), mutations)) {
      const answer = await world.send(request)
      if (answer.status === operation.success.status) assertSuccess(operation, answer)
      else assertPlainError(operation, answer, request)
    }
    assertSuccess(operation, await world.send(await requestFor(world, operation)))
  }),
}

/** How many mutations of each operation's request are sent. */
const mutations = 16

/** An agreed failure: its code is in the table and may come from this operation, and the status is the code's own. */
function assertPlainError({ id, errors }: Operation, answer: LineAnswer, request: LineRequest): void {
  const what = `${id}: ${JSON.stringify(request).slice(0, 1000)} was answered by ${answer.status} ${answer.body}`
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

/** At how many of its calls to storage an operation is stopped. */
const mostStops = 40

/** Errors of gates, which other cases examine. */
const elsewhereReached = new Set<ErrorCode>([
  'unauthorized',
  'method_not_allowed',
  'rate_limited',
  'service_unavailable',
])

const betaOperation: Readonly<Record<string, OperationCase>> = {
  'wants the beta header': examining(['transport'], async (world, operation) => {
    const request = await requestFor(world, operation)
    for (const version of ['', '20240415']) {
      const refused = await world.send(withHeaders(request, { 'svc-api-version': version }))
      assert.isTrue(assertError(refused, 403, 'forbidden').message.includes('SVC-API-Version: beta'))
    }
    assertSuccess(operation, await world.send(request))
  }),
}

const stableOperation: Readonly<Record<string, OperationCase>> = {
  'takes every known version': examining([], async (world, operation) => {
    for (const version of ['beta', '20160426', '20240415']) {
      const request = withHeaders(await requestFor(world, operation), { 'svc-api-version': version })
      assertSuccess(operation, await world.send(request))
    }
  }),
}

const operationWithKeys: Readonly<Record<string, OperationCase>> = {
  'finds nothing under keys that nothing has': examining(['storage'], async (world, operation) => {
    const example = await world.exampleOf(operation)
    for (const unknown of withUnknown(keyParams(operation), example)) {
      assertError(await world.send(requestOf(operation, unknown)), 404, 'not_found')
    }
  }),

  'finds nothing under what cannot be a key': examining(['storage', 'transport'], async (world, operation) => {
    const example = await world.exampleOf(operation)
    for (const name of keyParams(operation)) {
      for (const key of strangeKeys) {
        // Alone in a segment, `..` would climb up before it is sent.
        const request = requestOf(operation, { ...example, params: { ...example.params, [name]: key } })
        const answer = await world.send({ ...request, path: request.path.replace('/..', '/%2e%2e%2f') })
        assertError(answer, 404, 'not_found')
      }
    }
  }),
}

const operationWithQuery: Readonly<Record<string, OperationCase>> = {
  'takes or refuses any value of its query': examining(['storage'], async (world, operation) => {
    const example = await world.exampleOf(operation)
    for (const strange of strangeQueries(operation, example)) {
      const answer = await world.send(requestOf(operation, strange))
      if (answer.status === operation.success.status) assertSuccess(operation, answer)
      else if (answer.status !== 404) assertError(answer, 400, 'invalid_request')
    }
  }),
}

/** The cases that an operation's card gives rise to. */
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
    // An upload is nothing that a parser in front would read.
    ...(operation.body && !(hasJsonBody && parserInFront) ? operationWithRawBody : {}),
    ...(hasJsonBody && !parserInFront ? operationWithRawJsonBody : {}),
  }
}

const withoutExample: Readonly<Record<string, OperationCase>> = {
  'has an example': examining(['storage', 'transport'], async (_, { id }) =>
    assert.fail(`there is no example of ${id}: add one to examples/`),
  ),
}

async function signature(world: World, operation: Operation): Promise<{ authorization: string }> {
  const { authorization = '' } = (await requestFor(world, operation)).headers ?? {}
  return { authorization }
}

/** Paths that match the same requests. */
function shapeOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}')
}

/** Lists that hold nothing and counts of nothing; links may be there, and of which time an answer tells. */
function assertNothingShown(body: Record<string, unknown>): void {
  const { _links, self, scoreMetadata, ...shown } = body
  assert.isTrue(isNothing(shown), JSON.stringify(shown))
}

function isNothing(value: unknown): boolean {
  return value === 0 || (typeof value === 'object' && value !== null && Object.values(value).every(isNothing))
}
