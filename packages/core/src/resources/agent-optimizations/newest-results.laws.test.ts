import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type OptimizationAccount, optimizationAccount, runId } from './test/optimization-account.ts'

const run = fc.integer({ min: 1, max: 4 })

/** A step of a history, with clocks that may go backward. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('post' as const),
      run,
      iteration: fc.integer({ min: 0, max: 3 }),
      pass: fc.integer({ min: -3, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), run }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('patch' as const), nth: fc.nat(20) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('race' as const), runs: fc.array(run, { minLength: 2, maxLength: 3 }) }),
  },
)

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

interface Known {
  readonly id: string
  readonly runId: string
  readonly createdAt: number
  readonly iteration: number
}

/** Runs a step on the account and on a plain list of the results. */
async function take(account: OptimizationAccount, known: Known[], one: Step): Promise<Known[]> {
  switch (one.do) {
    case 'post':
      account.pass(one.pass)
      return [...known, await account.post(one.run, { iteration: one.iteration })]
    case 'delete': {
      const there = known.some((result) => result.runId === runId(one.run))
      const deleted = account.deleteRun(one.run).then(() => true)
      expect(await deleted.catch(() => false)).toBe(there)
      return known.filter((result) => result.runId !== runId(one.run))
    }
    case 'patch': {
      const result = known[one.nth % (known.length || 1)]
      if (result) await account.patch(result.id, { completionResponse: `answer ${one.nth}` })
      return known
    }
    case 'race': {
      const outcomes = await Promise.allSettled(one.runs.map((number) => account.post(number)))
      expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
      return [...known, ...outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))]
    }
  }
}

function newer(a: Known, b: Known): number {
  return b.createdAt - a.createdAt || b.iteration - a.iteration
}

it('the newest result of each run equals the newest of all results of the run', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const account = await optimizationAccount()
      let known: Known[] = []
      for (const one of steps) known = await take(account, known, one)
      const runs = new Map(known.map(({ runId: id }) => [id, known.filter((other) => other.runId === id)]))
      const { items, totalCount } = await account.latest({ limit: 100 })
      expect(totalCount).toBe(runs.size)
      expect(new Set(items.map((item) => item.runId))).toEqual(new Set(runs.keys()))
      for (const item of items) {
        const [best] = (runs.get(item.runId) ?? []).toSorted(newer)
        expect(newer(item, best as Known)).toBe(0)
      }
      expect(items).toEqual(items.toSorted(newer))
      expect((await account.all()).items.map(({ id }) => id).sort()).toEqual(known.map(({ id }) => id).sort())
      for (const [id, results] of runs) {
        const listed = await account.resultsOf(Number(id.slice(-4)))
        expect(listed.items.map((one) => one.id).sort()).toEqual(results.map((one) => one.id).sort())
        expect(listed.items).toEqual(listed.items.toSorted(newer))
      }
    }),
    { numRuns: 60 },
  )
})
