import { createEngine, type Engine, type EngineInput } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'
import type { AccountStorage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createDeterministicHost } from '@halyard/testing'
import { assert } from '../storage/assert.ts'
import { inProcessHarness } from '../transport/in-process-harness.ts'
import { adminToken, seededNow } from '../transport/seeded-engine.ts'
import type { TransportClient, TransportHarness, TransportResponse } from '../transport/transport-harness.ts'
import { type Example, type ExampleContext, noExampleOf } from './example.ts'
import { examples } from './examples/index.ts'
import { requestOf, settings } from './operation-fixture.ts'

/**
 * An account in memory, with a fixed clock, that can be set back to an earlier state. Two equal requests in the same
 * state have equal responses, with equal ids and secrets.
 */
export interface RestorableAccount extends TransportClient {
  readonly engine: Engine
  readonly account: AccountStorage
  /** Returns a function that sets the account and the ids of its host back to the present state. */
  saveState(): () => void
  /** Returns a context for examples that hands out the keys again, from the first key on. */
  newContext(): ExampleContext
  /** Makes an example of an operation. */
  exampleOf(operation: Pick<Operation, 'id'>, context: ExampleContext): Promise<Example>
}

/** Keys in the order in which an example requests them; the first is usually a project's. */
const keys = ['web', 'checkout', 'search', 'beta', 'pricing', 'mobile', 'orders', 'support']

/**
 * Opens an account whose deleted resources can be restored, with an administrator.
 *
 * @param harness transport of `send`. Without it, calls are made in process. The calls that prepare examples are made
 *   in process.
 * @param input options of the engine that replace the default ones of the suite.
 */
export async function openRestorableAccount(
  harness: TransportHarness = inProcessHarness,
  input: Partial<EngineInput> = {},
): Promise<RestorableAccount> {
  const storage = createMemoryStorage()
  const { clock, newId, randomHex, ...host } = createDeterministicHost(seededNow)
  const engine = createEngine({ ...settings, storage, clock, newId, randomHex, rateLimit: false, ...input })
  await engine.migrate()
  await engine.bootstrap({ token: adminToken })
  const operations = new Map((await engine.definitions()).map((operation) => [operation.id, operation]))
  const client = await harness.open(engine)
  const ownClient = await inProcessHarness.open(engine)
  async function exampleOf({ id }: Pick<Operation, 'id'>, context: ExampleContext): Promise<Example> {
    return examples[id]?.(context) ?? assert.fail(noExampleOf(id))
  }
  return {
    engine,
    account: storage.account('default'),
    send: (request) => client.send(request),
    exampleOf,
    saveState() {
      const state = { stored: storage.snapshot(), host: host.save() }
      return () => {
        storage.restore(state.stored)
        host.restore(state.host)
        engine.clearCaches()
      }
    },
    newContext() {
      let count = 0
      const context: ExampleContext = {
        newKey: () => keys[count++] ?? `key-${count}`,
        async call<Body>(id: string, input?: Example) {
          const operation = operations.get(id) ?? assert.fail(`unknown operation ${id}`)
          const response = await ownClient.send(requestOf(operation, input ?? (await exampleOf(operation, context))))
          return (bodyOf(operation, response) ?? {}) as Body
        },
      }
      return context
    },
    async close() {
      await client.close()
      await ownClient.close()
      await engine.close()
    },
  }
}

/** Returns the body of a response that must be a success: a JSON value, a text, or undefined when there is no body. */
export function bodyOf({ id, success }: Operation, { status, body }: TransportResponse): unknown {
  assert.equal(status, success.status, `${id}: ${body}`)
  if (body === '') return undefined
  return success.mediaType === undefined ? JSON.parse(body) : body
}
