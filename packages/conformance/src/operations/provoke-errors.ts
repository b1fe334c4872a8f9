import type { ErrorBody } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'
import type { CommitOutcome } from '@halyard/core/storage'
import type { TransportRequest, TransportResponse } from '../transport/transport-harness.ts'
import type { Example } from './example.ts'
import { failingExamples } from './examples/index.ts'
import { mistypedBodies, paramsOf, unusualQueries, withUnknownKeys } from './invalid-input.ts'
import { type OperationFixture, requestOf, withHeaders } from './operation-fixture.ts'

/**
 * Calls an operation in every way that is known to cause an error, and collects the responses. No response may be an
 * unhandled error; the caller asserts that.
 */
export async function provokeErrors(
  fixture: OperationFixture,
  operation: Operation,
): Promise<readonly TransportResponse[]> {
  return [...(await provokeByInput(fixture, operation)), ...(await provokeByState(fixture, operation))]
}

/** Calls an operation with unknown keys, unusual parameters, bodies of other types, and tokens of few permissions. */
async function provokeByInput(fixture: OperationFixture, operation: Operation): Promise<readonly TransportResponse[]> {
  const responses: TransportResponse[] = []
  const send = async (request: TransportRequest) => void responses.push(await fixture.send(request))
  const example = await fixture.exampleOf(operation)
  for (const withUnknownKey of withUnknownKeys(paramsOf(operation.path), example))
    await send(requestOf(operation, withUnknownKey))
  for (const unusual of unusualQueries(operation, example)) await send(requestOf(operation, unusual))
  for (const body of operation.body ? mistypedBodies : []) await send({ ...requestOf(operation, example), body })
  for (const authorization of [fixture.powerlessToken, fixture.readerToken]) {
    await send(withHeaders(requestOf(operation, await fixture.exampleOf(operation)), { authorization }))
  }
  // Invalid percent-encoding is always refused, so it only proves an `invalid_request` that the operation declares.
  if (operation.query && operation.errors.includes('invalid_request')) await send(withBrokenQuery(operation, example))
  return responses
}

/**
 * Calls an operation so that the stored state refuses it: with an outdated version, for a project that does not exist,
 * twice, several times in parallel, and while another write is committed first.
 */
async function provokeByState(fixture: OperationFixture, operation: Operation): Promise<readonly TransportResponse[]> {
  const responses = [...(await provokeByRecords(fixture, operation))]
  const send = async (request: TransportRequest) => void responses.push(await fixture.send(request))
  const newRequest = async () => requestOf(operation, await fixture.exampleOf(operation))
  await send(withHeaders(await newRequest(), { 'if-match': '"never"' }))
  await send(requestOf(operation, withUnknownProject(await fixture.exampleOf(operation))))
  const racingRequest = await newRequest()
  await Promise.all([racingRequest, racingRequest, racingRequest, racingRequest].map(send))
  if (operation.errors.includes('optimistic_locking_error')) responses.push(await loseRace(fixture, await newRequest()))
  return responses
}

/** Calls an operation in a state in which the stored records refuse it, and then repeats a successful call. */
export async function provokeByRecords(
  fixture: OperationFixture,
  operation: Operation,
): Promise<readonly TransportResponse[]> {
  const responses: TransportResponse[] = []
  const makeFailingExample = failingExamples[operation.id]
  if (makeFailingExample) responses.push(await fixture.send(requestOf(operation, await makeFailingExample(fixture))))
  const repeatedRequest = requestOf(operation, await fixture.exampleOf(operation))
  for (let call = 0; call < 2; call++) responses.push(await fixture.send(repeatedRequest))
  return responses
}

/** Returns the response of a write whose precondition is violated immediately before the commit. */
async function loseRace(fixture: OperationFixture, request: TransportRequest): Promise<TransportResponse> {
  const client = await fixture.openIntercepted(async (verb, call) => (verb === 'commit' ? conflictOutcome : call()))
  try {
    return await client.send(request)
  } finally {
    await client.close()
  }
}

const conflictOutcome: CommitOutcome = { outcome: 'conflict', change: 0 }

function withBrokenQuery(operation: Operation, { params }: Example): TransportRequest {
  const request = requestOf(operation, { params })
  return { ...request, path: `${request.path}?limit=%ff` }
}

/** Returns the example with projects in body and query replaced by one that does not exist. */
function withUnknownProject(example: Example): Example {
  const replaceProject = <T>(value: T): T =>
    typeof value === 'object' && value !== null && 'projectKey' in value ? { ...value, projectKey: 'unknown' } : value
  return { ...example, body: replaceProject(example.body), query: replaceProject(example.query) }
}

/** Returns the code of an error response. */
export function codeOf({ status, body }: TransportResponse): ErrorBody['code'] | undefined {
  return status < 400 ? undefined : (JSON.parse(body) as ErrorBody).code
}
