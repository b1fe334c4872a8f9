import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type OptimizationAccount, optimizationAccount, runId } from './test/optimization-account.ts'

const runNumber = fc.integer({ min: 1, max: 4 })

/** A step of a history, with clocks that may go backward. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('post' as const),
      run: runNumber,
      iteration: fc.integer({ min: 0, max: 3 }),
      pass: fc.integer({ min: -3, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), run: runNumber }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('patch' as const), nth: fc.nat(20) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('race' as const),
      runs: fc.array(runNumber, { minLength: 2, maxLength: 3 }),
    }),
  },
)

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

interface ExpectedResult {
  readonly id: string
  readonly runId: string
  readonly createdAt: number
  readonly iteration: number
}

/** Runs a step on the account and on a plain list of the results. */
async function runStep(
  account: OptimizationAccount,
  expected: ExpectedResult[],
  step: Step,
): Promise<ExpectedResult[]> {
  switch (step.do) {
    case 'post':
      account.pass(step.pass)
      return [...expected, await account.post(step.run, { iteration: step.iteration })]
    case 'delete': {
      const exists = expected.some((result) => result.runId === runId(step.run))
      const deleted = account.deleteRun(step.run).then(() => true)
      expect(await deleted.catch(() => false)).toBe(exists)
      return expected.filter((result) => result.runId !== runId(step.run))
    }
    case 'patch': {
      const result = expected[step.nth % (expected.length || 1)]
      if (result) await account.patch(result.id, { completionResponse: `answer ${step.nth}` })
      return expected
    }
    case 'race': {
      const outcomes = await Promise.allSettled(step.runs.map((number) => account.post(number)))
      expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
      return [...expected, ...outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))]
    }
  }
}

function newer(a: ExpectedResult, b: ExpectedResult): number {
  return b.createdAt - a.createdAt || b.iteration - a.iteration
}

it('the stored newest result of each run is the newest of all results of the run', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const account = await optimizationAccount()
      let expected: ExpectedResult[] = []
      for (const item of steps) expected = await runStep(account, expected, item)
      const runs = new Map(expected.map(({ runId: id }) => [id, expected.filter((other) => other.runId === id)]))
      const { items, totalCount } = await account.latest({ limit: 100 })
      expect(totalCount).toBe(runs.size)
      expect(new Set(items.map((item) => item.runId))).toEqual(new Set(runs.keys()))
      for (const item of items) {
        const [best] = (runs.get(item.runId) ?? []).toSorted(newer)
        expect(newer(item, best as ExpectedResult)).toBe(0)
      }
      expect(items).toEqual(items.toSorted(newer))
      expect((await account.all()).items.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort())
      for (const [id, results] of runs) {
        const listed = await account.resultsOf(Number(id.slice(-4)))
        expect(listed.items.map((item) => item.id).sort()).toEqual(results.map((item) => item.id).sort())
        expect(listed.items).toEqual(listed.items.toSorted(newer))
      }
    }),
    { numRuns: 60 },
  )
})
