import type { ErrorBody } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'
import { assertError } from '../transport/transport-case.ts'
import type { TransportResponse } from '../transport/transport-harness.ts'
import type { Example } from './example.ts'
import { type OperationFixture, requestOf } from './operation-fixture.ts'

/** Sends a request and counts the commits that it causes. */
export async function sendCounted(fixture: OperationFixture, operation: Operation, example: Example) {
  let commits = 0
  const client = await fixture.openIntercepted(async (verb, call) => {
    if (verb === 'commit') commits++
    return call()
  })
  try {
    const request = requestOf(operation, example)
    // The first request with a token records its use, whatever the operation is.
    await client.send({ method: 'GET', path: '/api/v2/projects', headers: request.headers ?? {} })
    commits = 0
    return { response: await client.send(request), commits }
  } finally {
    await client.close()
  }
}

/** Returns the attributes that a response of status 400 names. */
export function attributesOf(response: TransportResponse): string[] {
  assertError(response, 400, 'invalid_request')
  const { errors = [] } = JSON.parse(response.body) as ErrorBody
  return errors.map(({ attribute }) => attribute)
}
