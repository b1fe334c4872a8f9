import { createEngine } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'
import { createMemoryStorage } from '@halyard/storage-memory'
import { determinedHost } from '@halyard/testing'
import { assert } from '../storage/assert.ts'
import { inProcess } from '../transport/in-process-line.ts'
import { adminToken, seededNow } from '../transport/seeded-engine.ts'
import type { LineAnswer } from '../transport/transport-harness.ts'
import type { Example, Examples } from './example.ts'
import { examples } from './examples/index.ts'
import { requestOf, settings, withHeaders } from './world.ts'

/** A successful call of an operation with its response. */
export interface RecordedExample extends Example {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** The body of the response: a JSON value, the text when it is not JSON, or undefined when there is none. */
  readonly answer: unknown
  /**
   * True when the operation is refused with an `If-Match` that names a version that the resource does not have (D11).
   */
  readonly heedsIfMatch: boolean
}

/** Keys in the order in which an example requests them; the first is usually a project's. */
const keys = ['web', 'checkout', 'search', 'beta', 'pricing', 'mobile', 'orders', 'support']

/**
 * Calls every operation with its example of the conformance run, each in a new account, in memory, with a clock that
 * stands still: an operation's example is the same every time, whatever other operations there are.
 *
 * @returns the examples by the operations' ids.
 * @throws AssertionError when an operation has no example, or is not answered with success.
 *
 * @example
 * ```ts
 * import { recordExamples } from '@halyard/conformance'
 *
 * const examples = await recordExamples()
 * console.log('getTeam' in examples) // true
 * ```
 */
export async function recordExamples(): Promise<Readonly<Record<string, RecordedExample>>> {
  const storage = createMemoryStorage()
  const { clock, newId, randomHex, ...host } = determinedHost(seededNow)
  await using engine = createEngine({ ...settings, storage, clock, newId, randomHex, rateLimit: false })
  await engine.migrate()
  await engine.bootstrap({ token: adminToken })
  const operations = new Map(engine.operations.map((one) => [one.id, one]))
  const line = await inProcess.open(engine)
  const moment = () => ({ stored: storage.snapshot(), host: host.save() })
  const goTo = (back: ReturnType<typeof moment>) => {
    storage.restore(back.stored)
    host.restore(back.host)
    engine.clearCaches()
  }

  const asked = (id: string) => operations.get(id) ?? assert.fail(`unknown operation ${id}`)
  async function exampleOf(id: string, world: Examples): Promise<Example> {
    return examples[id]?.(world) ?? assert.fail(`no example of ${id}`)
  }
  async function record(operation: Operation): Promise<RecordedExample> {
    let count = 0
    const world: Examples = {
      fresh: () => keys[count++] ?? `key-${count}`,
      async call<Body>(id: string, input?: Example) {
        const called = asked(id)
        const answer = await line.send(requestOf(called, input ?? (await exampleOf(id, world))))
        return (bodyOf(called, answer) ?? {}) as Body
      },
    }
    const example = await exampleOf(operation.id, world)
    const request = requestOf(operation, example)
    const before = moment()
    const answer = await line.send(request)
    const recorded = { ...example, status: answer.status, headers: answer.headers, answer: bodyOf(operation, answer) }
    if (operation.method === 'GET') return { ...recorded, heedsIfMatch: false }
    goTo(before)
    const { status } = await line.send(withHeaders(request, { 'if-match': '"no-such-version"' }))
    return { ...recorded, heedsIfMatch: status === 409 }
  }

  const empty = moment()
  const recorded: Record<string, RecordedExample> = {}
  for (const operation of engine.operations) {
    goTo(empty)
    recorded[operation.id] = await record(operation)
  }
  return recorded
}

function bodyOf({ id, success }: Operation, { status, body }: LineAnswer): unknown {
  assert.equal(status, success.status, `${id}: ${body}`)
  if (body === '') return undefined
  return success.mediaType === undefined ? JSON.parse(body) : body
}
