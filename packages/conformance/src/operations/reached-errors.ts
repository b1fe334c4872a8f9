import type { ErrorBody } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'
import type { CommitOutcome } from '@halyard/core/storage'
import type { LineAnswer, LineRequest } from '../transport/transport-harness.ts'
import type { Example } from './example.ts'
import { failingExamples } from './examples/index.ts'
import { mistypedBodies, paramsOf, strangeQueries, withUnknown } from './hostile-input.ts'
import { requestOf, type World, withHeaders } from './world.ts'

/**
 * Calls an operation in every way that is known to cause an error, and collects the responses. No response may be an
 * unhandled error; the caller asserts that.
 */
export async function provokeErrors(world: World, operation: Operation): Promise<readonly LineAnswer[]> {
  const answers: LineAnswer[] = []
  const send = async (request: LineRequest) => void answers.push(await world.send(request))
  const make = async () => requestOf(operation, await world.exampleOf(operation))

  const example = await world.exampleOf(operation)
  for (const unknown of withUnknown(paramsOf(operation.path), example)) await send(requestOf(operation, unknown))
  for (const strange of strangeQueries(operation, example)) await send(requestOf(operation, strange))
  for (const body of operation.body ? mistypedBodies : []) await send({ ...requestOf(operation, example), body })
  for (const authorization of [world.powerlessToken, world.readerToken]) {
    await send(withHeaders(await make(), { authorization }))
  }
  await send(withHeaders(await make(), { 'if-match': '"never"' }))
  await send(requestOf(operation, elsewhere(example)))
  const failing = failingExamples[operation.id]
  if (failing) await send(requestOf(operation, await failing(world)))
  // Invalid percent-encoding is always refused, so it only proves an `invalid_request` that the operation declares.
  if (operation.query && operation.errors.includes('invalid_request')) await send(withBrokenQuery(operation, example))

  const twice = await make()
  await send(twice)
  await send(twice)
  const race = await make()
  await Promise.all([race, race, race, race].map(send))
  if (operation.errors.includes('optimistic_locking_error')) answers.push(await loseRace(world, await make()))
  return answers
}

/** Returns the response of a write whose precondition is violated immediately before the commit. */
async function loseRace(world: World, request: LineRequest): Promise<LineAnswer> {
  const line = await world.intercepted(async (verb, call) => (verb === 'commit' ? lost : call()))
  try {
    return await line.send(request)
  } finally {
    await line.close()
  }
}

const lost: CommitOutcome = { outcome: 'conflict', change: 0 }

function withBrokenQuery(operation: Operation, { params }: Example): LineRequest {
  const request = requestOf(operation, { params })
  return { ...request, path: `${request.path}?limit=%ff` }
}

/** Returns the example with projects in body and query replaced by one that does not exist. */
function elsewhere(example: Example): Example {
  const moved = <T>(named: T): T =>
    typeof named === 'object' && named !== null && 'projectKey' in named ? { ...named, projectKey: 'unknown' } : named
  return { ...example, body: moved(example.body), query: moved(example.query) }
}

/** Returns the code of an error response. */
export function codeOf({ status, body }: LineAnswer): ErrorBody['code'] | undefined {
  return status < 400 ? undefined : (JSON.parse(body) as ErrorBody).code
}
