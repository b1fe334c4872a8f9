import type { Operation } from '@halyard/core/operations'
import { assert } from '../storage/assert.ts'
import type { TransportResponse } from '../transport/transport-harness.ts'
import { undeclaredProperties } from './undeclared-properties.ts'

/**
 * Asserts that a response is the success that the operation declares: it has the status and matches the schema, and it
 * has no property that the schema does not declare.
 */
export function assertSuccess({ id, success }: Operation, response: TransportResponse): void {
  assert.equal(response.status, success.status, `${id}: ${response.body}`)
  if (!success.body) {
    assert.equal(response.body, '')
    return
  }
  if (success.mediaType !== undefined) {
    assert.equal(response.headers['content-type'], success.mediaType)
    return
  }
  assert.equal(response.headers['content-type'], 'application/json')
  const body: unknown = JSON.parse(response.body)
  const result = success.body['~standard'].validate(body)
  if (result instanceof Promise) throw new Error('a response schema must be synchronous')
  const schemaErrors = result.issues?.map(
    ({ message, path = [] }) => `${path.map(keyOfPathItem).join('.')}: ${message}`,
  )
  assert.deepEqual(schemaErrors ?? [], [], `${id}: ${response.body}`)
  assert.deepEqual(undeclaredProperties(success.body, body), [], `${id}: undeclared properties`)
}

function keyOfPathItem(item: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof item === 'object' ? item.key : item)
}
