import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../index.ts'
import { interceptCommits } from './test/intercept-commits.ts'
import {
  chartQuery,
  expectSameChart,
  fullRange,
  newEngine,
  now,
  runStep,
  sharedStorage,
  step,
} from './test/summarized-days.ts'

describe('a chart of summarized days', () => {
  it('equals the chart of the samples, for any times of arrival and summarizing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.array(chartQuery, { minLength: 3, maxLength: 6 }),
        async (steps, queries) => {
          const [engine, expected] = [await newEngine(), []]
          for (const stepToRun of steps) await runStep(engine, expected, stepToRun)
          for (const query of queries.filter(({ from, to }) => from < to)) {
            await expectSameChart(engine, expected, query)
            await engine.compact()
            await expectSameChart(engine, expected, query)
          }
        },
      ),
      { numRuns: process.env.HALYARD_LONG_TESTS ? 60 : 12 },
    )
  }, 60_000)

  it('contains the samples that were added concurrently with summarizing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
        const [engine, expected] = [await newEngine(), []]
        await Promise.all(steps.map((stepToRun) => runStep(engine, expected, stepToRun)))
        await expectSameChart(engine, expected, fullRange)
        await engine.compact()
        await expectSameChart(engine, expected, fullRange)
      }),
      { numRuns: process.env.HALYARD_LONG_TESTS ? 60 : 12 },
    )
  }, 60_000)

  it('contains all samples when summarizing stops at any commit and other processes continue', async () => {
    const scenario = fc.record({
      steps: fc.array(step, { minLength: 3, maxLength: 8 }),
      commits: fc.integer({ min: 0, max: 8 }),
      late: fc.array(step, { maxLength: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(scenario, async ({ steps, commits, late: lateSteps }) => {
        const storage = sharedStorage()
        const [engine, expected] = [await newEngine(storage), []]
        for (const stepToRun of steps) await runStep(engine, expected, stepToRun)
        let remainingCommits = commits
        const failing = interceptCommits(storage, async (batch, commit) => {
          if (remainingCommits-- <= 0) throw new Error('the process is gone')
          return commit(batch)
        })
        const compactors = [createEngine({ storage: failing, clock: () => now }), engine]
        await Promise.allSettled([
          ...compactors.map((stepToRun) => stepToRun.compact()),
          ...lateSteps.map((stepToRun) => runStep(engine, expected, stepToRun)),
        ])
        await expectSameChart(engine, expected, fullRange)
        expect(await engine.compact()).toMatchObject({ more: false })
        await expectSameChart(engine, expected, fullRange)
      }),
      { numRuns: process.env.HALYARD_LONG_TESTS ? 60 : 12 },
    )
  }, 60_000)
})
