import type { AccountStorage, GrantedLease, QuotaLeaseQuery } from '@halyard/core/storage'
import { assert } from './assert.ts'
import type { StorageCaseContext, StorageCases } from './conformance-case.ts'

const minute = 60_000

/**
 * Quota leases that several processes take from one storage. A storage that only one process uses may have no
 * `reserve`; these cases then pass.
 */
export const quotaLeaseCases: StorageCases = {
  group: 'quota leases',
  cases: casesWithReserve({
    'the requested amount is granted until the limit is used up': async (reserve) => {
      assert.deepEqual(await reserve({ requested: 4 }), { granted: 4, remaining: 6 })
      assert.deepEqual(await reserve({ requested: 4 }), { granted: 4, remaining: 2 })
      assert.deepEqual(await reserve({ requested: 4 }), { granted: 2, remaining: 0 })
      assert.deepEqual(await reserve({ requested: 4 }), { granted: 0, remaining: 0 })
    },

    'a request above the limit is granted the whole limit': async (reserve) => {
      assert.deepEqual(await reserve({ requested: 11 }), { granted: 10, remaining: 0 })
    },

    'a request for 0 returns the remaining amount': async (reserve) => {
      assert.deepEqual(await reserve({ requested: 0 }), { granted: 0, remaining: 10 })
      await reserve({ requested: 3 })
      assert.deepEqual(await reserve({ requested: 0 }), { granted: 0, remaining: 7 })
    },

    'a lower limit grants nothing beyond it, and a higher limit grants the difference': async (reserve) => {
      await reserve({ requested: 8 })
      assert.deepEqual(await reserve({ limit: 5, requested: 1 }), { granted: 0, remaining: 0 })
      assert.deepEqual(await reserve({ limit: 12, requested: 9 }), { granted: 4, remaining: 0 })
    },

    'each key has its own quota': async (reserve) => {
      const keys = ['a', 'A', 'a ', 'a\u0000', '%', 'ä', 'x'.repeat(512)]
      for (const key of keys)
        assert.deepEqual(await reserve({ key, requested: 10 }), { granted: 10, remaining: 0 }, key)
      for (const key of keys) assert.deepEqual(await reserve({ key, requested: 1 }), { granted: 0, remaining: 0 }, key)
    },

    'each window has its own quota, also when an earlier window is used again': async (reserve) => {
      for (const window of [0, 1, 2]) {
        const query = { window: window * minute, until: (window + 1) * minute }
        assert.deepEqual(await reserve({ ...query, requested: 7 }), { granted: 7, remaining: 3 })
      }
      // The clock of another process may be a little behind.
      assert.deepEqual(await reserve({ window: minute, until: 2 * minute, requested: 7 }), { granted: 3, remaining: 0 })
    },

    'removing ended windows does not remove windows that have not ended': async (reserve) => {
      await reserve({ key: 'hour', until: 60 * minute, requested: 9 })
      for (let window = 0; window < 59; window++) {
        const query = { key: 'minute', window: window * minute, until: (window + 1) * minute }
        assert.deepEqual(await reserve({ ...query, requested: 10 }), { granted: 10, remaining: 0 })
      }
      assert.deepEqual(await reserve({ key: 'hour', until: 60 * minute, requested: 9 }), { granted: 1, remaining: 0 })
    },

    'concurrent requests together never receive more than the limit': async (reserve) => {
      // Imported here because it is a peer dependency: a project that uses only the test engine need not install it.
      const { default: fc } = await import('fast-check')
      const wants = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 40 })
      let run = 0
      await fc.assert(
        fc.asyncProperty(wants, fc.integer({ min: 1, max: 200 }), async (requests, limit) => {
          const key = `run ${++run}`
          const leases = await Promise.all(requests.map((requested) => reserve({ key, limit, requested })))
          const requested = requests.reduce((sum, amount) => sum + amount, 0)
          assert.equal(sumOf(leases), Math.min(requested, limit))
          for (const [i, { granted }] of leases.entries())
            assert.isTrue(granted <= (requests[i] as number), 'granted more than requested')
          const smallestRest = Math.min(...leases.map(({ remaining }) => remaining))
          assert.equal(smallestRest, limit - Math.min(requested, limit))
        }),
        { numRuns: 20 },
      )
    },

    'two hundred concurrent first requests of a window use one window': async (reserve) => {
      const leases = await Promise.all(Array.from({ length: 200 }, () => reserve({ limit: 150, requested: 1 })))
      assert.equal(sumOf(leases), 150)
    },

    'each account has its own quota': async (_, { accountNamed }) => {
      for (const name of ['one', 'two']) {
        assert.deepEqual(await reserveOf(accountNamed(name))?.({ requested: 10 }), { granted: 10, remaining: 0 })
      }
    },

    'two handles of one account use the same quota': async (reserve, { account }) => {
      await reserve({ requested: 6 })
      assert.deepEqual(await reserveOf(account)?.({ requested: 6 }), { granted: 4, remaining: 0 })
    },
  }),
}

type Reserve = (query: Partial<QuotaLeaseQuery>) => Promise<GrantedLease>

function reserveOf(account: AccountStorage): Reserve | undefined {
  if (!account.reserve) return undefined
  const reserve = account.reserve.bind(account)
  return (query) => reserve({ key: 'requests', window: 0, until: minute, limit: 10, requested: 1, ...query })
}

/** Runs the cases only on a storage that has `reserve`. */
function casesWithReserve(
  cases: Readonly<Record<string, (reserve: Reserve, stage: StorageCaseContext) => Promise<void>>>,
): StorageCases['cases'] {
  const withReserve = Object.entries(cases).map(([name, runCase]) => [
    name,
    async (stage: StorageCaseContext) => {
      const reserve = reserveOf(stage.account)
      if (reserve) await runCase(reserve, stage)
    },
  ])
  return Object.fromEntries(withReserve)
}

function sumOf(leases: readonly GrantedLease[]): number {
  return leases.reduce((sum, { granted }) => sum + granted, 0)
}
