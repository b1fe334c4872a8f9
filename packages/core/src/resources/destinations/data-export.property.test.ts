import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createEngine } from '../../index.ts'
import type { Exporter, ExportOutcome } from '../../operation/exporter.ts'
import { type AccountStorage, type Storage, storageUnavailable } from '../../storage/port.ts'
import { environmentKeys, pubsub } from './test/destination-engine.ts'

const as = { role: 'owner' } as const

/** A time longer than the lease of a task, ms. */
const beyondLeaseMs = 10 * 60_000

const outcomes: readonly ExportOutcome[] = [
  { outcome: 'sent' },
  ...[409, 429, 500].map((status) => ({ outcome: 'failed', reason: 'No.', status, retryAfter: '30' }) as const),
  { outcome: 'failed', reason: 'No response within 30000 ms.' },
]

type Step =
  | { readonly do: 'change'; readonly count: number }
  | { readonly do: 'run'; readonly outcomes: readonly ExportOutcome[]; readonly crashes: boolean; readonly ms: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('change' as const), count: fc.integer({ min: 1, max: 4 }) }),
  fc.record({
    do: fc.constant('run' as const),
    outcomes: fc.array(fc.constantFrom(...outcomes), { minLength: 1, maxLength: 3 }),
    /** True when the process ends after the batch was sent, but before this was stored. */
    crashes: fc.boolean(),
    ms: fc.constantFrom(0, 6_000, 400_000),
  }),
)

/** A storage that does not respond to commits while `isDown` returns true. */
function unreliable(memory: Storage, isDown: () => boolean): Storage {
  return {
    ...memory,
    account(name): AccountStorage {
      const account = memory.account(name)
      const commit: AccountStorage['commit'] = async (batch) => {
        if (isDown()) throw storageUnavailable('down')
        return account.commit(batch)
      }
      return new Proxy(account, {
        get: (target, property) => (property === 'commit' ? commit : Reflect.get(target, property)),
      })
    },
  }
}

it('a destination receives every change at least once, and receives each change for the first time in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      let now = Date.UTC(2026, 0, 1)
      let isDown = false
      let crashes = false
      let queued: ExportOutcome[] = []
      const received: string[] = []
      const exporter: Exporter = {
        kind: pubsub.kind,
        async send({ events }) {
          const outcome = queued.shift() ?? { outcome: 'sent' }
          // A destination that responds with 500 has stored the first event. A destination that fails in another way
          // has stored no event.
          const stored = outcome.outcome === 'sent' ? events : events.slice(0, outcome.status === 500 ? 1 : 0)
          received.push(...stored.map(({ id }) => id))
          isDown = crashes
          return outcome
        },
      }
      const storage = unreliable(createMemoryStorage(), () => isDown)
      const newEngine = () => createEngine({ storage, exporters: [exporter], clock: () => now, rateLimit: false })
      const { api } = newEngine()
      await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
      await api.createDestination({ ...environmentKeys, body: { ...pubsub, on: true } }, { as })
      let flags = 0
      for (const each of steps) {
        if (each.do === 'change') {
          for (let n = 0; n < each.count; n++, now++) {
            const key = `flag-${flags++}`
            await api.createFlag({ projectKey: 'web', body: { key, name: key } }, { as })
          }
          continue
        }
        queued = [...each.outcomes]
        crashes = each.crashes
        await newEngine()
          .runDueTasks()
          .catch(() => {})
        isDown = false
        now += each.crashes ? beyondLeaseMs : each.ms
      }
      queued = []
      crashes = false
      for (let runs = 0; runs < 3; runs++) {
        now += 3 * 60 * 60_000
        await newEngine().runDueTasks()
      }
      const { items } = await api.listChangeLog({ limit: 100 }, { as })
      const expected = items.filter(({ name }) => name.startsWith('flag-')).map(({ _id }) => _id)
      expect([...new Set(received)]).toEqual(expected.toReversed())
    }),
    { numRuns: 50 },
  )
})
