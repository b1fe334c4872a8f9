import { createEngine } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createDeterministicHost } from '@halyard/testing'
import { assert } from '../storage/assert.ts'
import { inProcessHarness } from '../transport/in-process-harness.ts'
import { adminToken, seededNow } from '../transport/seeded-engine.ts'
import type { TransportHarness, TransportResponse } from '../transport/transport-harness.ts'
import type { Example, ExampleContext } from './example.ts'
import { examples } from './examples/index.ts'
import { requestOf, settings, withHeaders } from './operation-fixture.ts'

/** A successful call of an operation with its response. */
export interface RecordedExample extends Example {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** The body of the response: a JSON value, the text when it is not JSON, or undefined when there is none. */
  readonly response: unknown
  /**
   * True when the operation is refused with an `If-Match` that names a version that the resource does not have
   * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d11-json-patch).
   */
  readonly supportsIfMatch: boolean
}

/** Keys in the order in which an example requests them; the first is usually a project's. */
const keys = ['web', 'checkout', 'search', 'beta', 'pricing', 'mobile', 'orders', 'support']

/**
 * Calls every operation with its example of the conformance run, each in a new account, in memory, with a clock that is
 * fixed: an operation's example is the same every time, whatever other operations exist.
 *
 * @param harness transport through which the operations are called. Default: none, in process.
 * @returns the examples by the operations' ids.
 * @throws AssertionError when an operation has no example, or does not succeed.
 *
 * @example
 * ```ts
 * import { recordExamples } from '@halyard/conformance'
 *
 * const examples = await recordExamples()
 * console.log('getTeam' in examples) // true
 * ```
 */
export async function recordExamples(
  harness: TransportHarness = inProcessHarness,
): Promise<Readonly<Record<string, RecordedExample>>> {
  const storage = createMemoryStorage()
  const { clock, newId, randomHex, ...host } = createDeterministicHost(seededNow)
  await using engine = createEngine({ ...settings, storage, clock, newId, randomHex, rateLimit: false })
  await engine.migrate()
  await engine.bootstrap({ token: adminToken })
  const operations = new Map(engine.operations.map((operation) => [operation.id, operation]))
  const client = await harness.open(engine)
  const saveState = () => ({ stored: storage.snapshot(), host: host.save() })
  const restoreState = (state: ReturnType<typeof saveState>) => {
    storage.restore(state.stored)
    host.restore(state.host)
    engine.clearCaches()
  }

  const operationOf = (id: string) => operations.get(id) ?? assert.fail(`unknown operation ${id}`)
  async function exampleOf(id: string, context: ExampleContext): Promise<Example> {
    return examples[id]?.(context) ?? assert.fail(`no example of ${id}`)
  }
  async function record(operation: Operation): Promise<RecordedExample> {
    let count = 0
    const context: ExampleContext = {
      newKey: () => keys[count++] ?? `key-${count}`,
      async call<Body>(id: string, input?: Example) {
        const operation = operationOf(id)
        const response = await client.send(requestOf(operation, input ?? (await exampleOf(id, context))))
        return (bodyOf(operation, response) ?? {}) as Body
      },
    }
    const example = await exampleOf(operation.id, context)
    const request = requestOf(operation, example)
    const stateBefore = saveState()
    const response = await client.send(request)
    const recorded = {
      ...example,
      status: response.status,
      headers: response.headers,
      response: bodyOf(operation, response),
    }
    if (operation.method === 'GET') return { ...recorded, supportsIfMatch: false }
    restoreState(stateBefore)
    const { status } = await client.send(withHeaders(request, { 'if-match': '"no-such-version"' }))
    return { ...recorded, supportsIfMatch: status === 409 }
  }

  const emptyState = saveState()
  const recorded: Record<string, RecordedExample> = {}
  for (const operation of engine.operations) {
    restoreState(emptyState)
    recorded[operation.id] = await record(operation)
  }
  await client.close()
  return recorded
}

function bodyOf({ id, success }: Operation, { status, body }: TransportResponse): unknown {
  assert.equal(status, success.status, `${id}: ${body}`)
  if (body === '') return undefined
  return success.mediaType === undefined ? JSON.parse(body) : body
}
