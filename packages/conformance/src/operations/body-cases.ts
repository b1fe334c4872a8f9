import type { Operation } from '@halyard/core/operations'
import { assert } from '../storage/assert.ts'
import { assertError } from '../transport/transport-case.ts'
import { arraysForObjects } from './arrays-for-objects.ts'
import { attributesOf, sendCounted } from './counted-commits.ts'
import { bareBodies, mistypedBodies } from './invalid-input.ts'
import { defineCase, defineUnchangingCase, type OperationCase, requestFor } from './operation-case.ts'
import { bodyLimit, withHeaders } from './operation-fixture.ts'

/** Rules for operations whose body is JSON. */
export const operationWithJsonBody: Readonly<Record<string, OperationCase>> = {
  'refuses bodies and properties of wrong types': defineCase([], async (fixture, operation) => {
    const request = await requestFor(fixture, operation)
    for (const body of mistypedBodies) {
      const response = await fixture.send({ ...request, body })
      if (accepts(operation, JSON.parse(body))) assert.isTrue(response.status < 500, response.body)
      else assertError(response, 400, 'invalid_request')
    }
  }),

  'refuses an array in place of an object, and writes nothing': defineUnchangingCase([], async (fixture, operation) => {
    const example = await fixture.exampleOf(operation)
    for (const { path, body } of arraysForObjects(operation, example)) {
      const { response, commits } = await sendCounted(fixture, operation, { ...example, body })
      const message = `${JSON.stringify(body)}: ${response.body}`
      const property = patchedProperty(path, body)
      if (property === undefined) assert.deepEqual(attributesOf(response), [path], message)
      else
        assert.isTrue(
          attributesOf(response).every((attribute) => attribute.split('.')[0] === property),
          message,
        )
      assert.equal(commits, 0)
    }
  }),
}

/** Rules for operations with a body. */
export const operationWithBody: Readonly<Record<string, OperationCase>> = {
  'refuses a missing body unless it is optional': defineCase(['transport'], async (fixture, operation) => {
    const response = await fixture.send({ ...(await requestFor(fixture, operation)), body: undefined })
    if (isOptional(operation)) assert.equal(response.status, operation.success.status, response.body)
    else assertError(response, 400, 'invalid_request')
  }),

  'refuses other media types': defineUnchangingCase(['transport'], async (fixture, operation) => {
    const request = withHeaders(await requestFor(fixture, operation), { 'content-type': 'text/plain' })
    assertError(await fixture.send(request), 415, 'invalid_request')
  }),
}

function isOptional({ body }: Operation): boolean {
  return body?.kind === 'json' && body.optional === true
}

/** Rules whose requests a body parser in front of the engine would refuse itself. */
export const operationWithRawJsonBody: Readonly<Record<string, OperationCase>> = {
  'refuses a body that is not JSON': defineUnchangingCase(['transport'], async (fixture, operation) => {
    const request = await requestFor(fixture, operation)
    for (const body of ['{', '[{"op":', "{'a':1}"]) {
      assertError(await fixture.send({ ...request, body }), 400, 'invalid_request')
    }
  }),

  'refuses a body that is neither an object nor a list': defineUnchangingCase(
    ['transport'],
    async (fixture, operation) => {
      const request = await requestFor(fixture, operation)
      for (const body of bareBodies) assertError(await fixture.send({ ...request, body }), 400, 'invalid_request')
    },
  ),
}

/** Rules that apply only without a body parser in front of the engine. */
export const operationWithRawBody: Readonly<Record<string, OperationCase>> = {
  'refuses a body above the limit': defineUnchangingCase(['transport'], async (fixture, operation) => {
    const limit = Math.max(bodyLimit, operation.bodyLimit ?? 0)
    const request = await requestFor(fixture, operation)
    assertError(await fixture.send({ ...request, body: ' '.repeat(limit + 1) }), 413, 'invalid_request')
  }),
}

/**
 * Returns the property of the resource that a path in a JSON Patch concerns, e.g. `metrics` for `1.value` where the
 * second change has the path `/metrics/-`. Errors of values name it. Undefined for other bodies.
 */
function patchedProperty(path: string, body: unknown): string | undefined {
  const index = /^(\d+)\.value\b/.exec(path)?.[1]
  if (index === undefined || !Array.isArray(body)) return undefined
  return (body[Number(index)] as { readonly path?: string }).path?.split('/')[1]
}

/** Returns whether the operation's own schema accepts a body. Of patches, only the empty list is accepted. */
function accepts({ body }: Operation, value: unknown): boolean {
  if (body?.kind === 'patch') return body.paths.length > 0 && Array.isArray(value) && value.length === 0
  if (body?.kind !== 'json') return false
  const result = body.schema['~standard'].validate(value)
  return !(result instanceof Promise) && result.issues === undefined
}
