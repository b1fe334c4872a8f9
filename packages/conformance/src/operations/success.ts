import type { Operation } from '@halyard/core/operations'
import { assert } from '../storage/assert.ts'
import type { LineAnswer } from '../transport/transport-harness.ts'
import { undeclaredMembers } from './undeclared-members.ts'

/**
 * Asserts that a response is the success that the operation declares: its status, its schema, and no further property.
 */
export function assertSuccess({ id, success }: Operation, answer: LineAnswer): void {
  assert.equal(answer.status, success.status, `${id}: ${answer.body}`)
  if (!success.body) {
    assert.equal(answer.body, '')
    return
  }
  if (success.mediaType !== undefined) {
    assert.equal(answer.headers['content-type'], success.mediaType)
    return
  }
  assert.equal(answer.headers['content-type'], 'application/json')
  const body: unknown = JSON.parse(answer.body)
  const checked = success.body['~standard'].validate(body)
  if (checked instanceof Promise) throw new Error('a response schema must be synchronous')
  const faults = checked.issues?.map(({ message, path = [] }) => `${path.map(keyOf).join('.')}: ${message}`)
  assert.deepEqual(faults ?? [], [], `${id}: ${answer.body}`)
  assert.deepEqual(undeclaredMembers(success.body, body), [], `${id}: undeclared properties`)
}

function keyOf(part: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof part === 'object' ? part.key : part)
}
