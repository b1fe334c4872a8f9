import type { Operation } from '@halyard/core/operations'
import { assert } from '../storage/assert.ts'
import { assertError } from '../transport/stage.ts'
import { bareBodies, mistypedBodies } from './hostile-input.ts'
import { examining, type OperationCase, requestFor } from './operation-case.ts'
import { bodyLimit, withHeaders } from './world.ts'

/** Rules for operations whose body is JSON. */
export const operationWithJsonBody: Readonly<Record<string, OperationCase>> = {
  'refuses bodies of other types': examining([], async (world, operation) => {
    const request = await requestFor(world, operation)
    for (const body of mistypedBodies) {
      const answer = await world.send({ ...request, body })
      if (takes(operation, JSON.parse(body))) assert.isTrue(answer.status < 500, answer.body)
      else assertError(answer, 400, 'invalid_request')
    }
  }),
}

/** Rules for operations with a body. */
export const operationWithBody: Readonly<Record<string, OperationCase>> = {
  'refuses a missing body': examining(['transport'], async (world, operation) => {
    assertError(await world.send({ ...(await requestFor(world, operation)), body: undefined }), 400, 'invalid_request')
  }),

  'refuses other media types': examining(['transport'], async (world, operation) => {
    const request = withHeaders(await requestFor(world, operation), { 'content-type': 'text/plain' })
    assertError(await world.send(request), 415, 'invalid_request')
  }),
}

/** Rules to which a body parser in front of the engine would respond itself. */
export const operationWithRawJsonBody: Readonly<Record<string, OperationCase>> = {
  'refuses a body that is not JSON': examining(['transport'], async (world, operation) => {
    const request = await requestFor(world, operation)
    for (const body of ['{', '[{"op":', "{'a':1}"]) {
      assertError(await world.send({ ...request, body }), 400, 'invalid_request')
    }
  }),

  'refuses a body that is neither an object nor a list': examining(['transport'], async (world, operation) => {
    const request = await requestFor(world, operation)
    for (const body of bareBodies) assertError(await world.send({ ...request, body }), 400, 'invalid_request')
  }),
}

/** Rules that apply only without a body parser in front of the engine. */
export const operationWithRawBody: Readonly<Record<string, OperationCase>> = {
  'refuses a body above the limit': examining(['transport'], async (world, operation) => {
    const limit = Math.max(bodyLimit, operation.bodyLimit ?? 0)
    const request = await requestFor(world, operation)
    assertError(await world.send({ ...request, body: ' '.repeat(limit + 1) }), 413, 'invalid_request')
  }),
}

/** Returns whether the operation's own schema accepts a body. Of patches, only the empty list is accepted. */
function takes({ body }: Operation, value: unknown): boolean {
  if (body?.kind !== 'json') return Array.isArray(value) && value.length === 0
  const result = body.schema['~standard'].validate(value)
  return !(result instanceof Promise) && result.issues === undefined
}
