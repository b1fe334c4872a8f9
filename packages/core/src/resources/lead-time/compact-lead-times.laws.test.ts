import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../index.ts'
import { around } from './test/around-commits.ts'
import { compare, newEngine, now, question, run, step, whole } from './test/summarised-days.ts'

describe('a chart of summarized days', () => {
  it('equals the chart of the samples, for any times of arrival and summarizing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.array(question, { minLength: 3, maxLength: 6 }),
        async (steps, questions) => {
          const [engine, known] = [await newEngine(), []]
          for (const one of steps) await run(engine, known, one)
          for (const asked of questions.filter(({ from, to }) => from < to)) {
            await compare(engine, known, asked)
            await engine.compact()
            await compare(engine, known, asked)
          }
        },
      ),
      { numRuns: 30 },
    )
  }, 60_000)

  it('contains the samples that were added concurrently with summarizing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
        const [engine, known] = [await newEngine(), []]
        await Promise.all(steps.map((one) => run(engine, known, one)))
        await compare(engine, known, whole)
        await engine.compact()
        await compare(engine, known, whole)
      }),
      { numRuns: 30 },
    )
  }, 60_000)

  it('contains all samples when summarizing stops at any commit and other processes continue', async () => {
    const scenario = fc.record({
      steps: fc.array(step, { minLength: 3, maxLength: 8 }),
      commits: fc.integer({ min: 0, max: 8 }),
      late: fc.array(step, { maxLength: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(scenario, async ({ steps, commits, late }) => {
        const storage = createMemoryStorage()
        const [engine, known] = [await newEngine(storage), []]
        for (const one of steps) await run(engine, known, one)
        let left = commits
        const dying = around(storage, async (batch, commit) => {
          if (left-- <= 0) throw new Error('the process is gone')
          return commit(batch)
        })
        const compactors = [createEngine({ storage: dying, clock: () => now }), engine]
        await Promise.allSettled([
          ...compactors.map((one) => one.compact()),
          ...late.map((one) => run(engine, known, one)),
        ])
        await compare(engine, known, whole)
        expect(await engine.compact()).toMatchObject({ more: false })
        await compare(engine, known, whole)
      }),
      { numRuns: 30 },
    )
  }, 60_000)
})
