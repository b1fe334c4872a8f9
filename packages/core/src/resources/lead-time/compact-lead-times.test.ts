import { describe, expect, it } from 'vitest'
import type { Storage } from '../../entries/storage.ts'
import { createEngine, type Engine } from '../../index.ts'
import { changesCollection, interceptCommits } from './test/intercept-commits.ts'
import {
  as,
  day,
  environmentKeys,
  expectSameChart,
  fullRange,
  hour,
  newEngine,
  now,
  runStep,
  type Sample,
  sharedStorage,
} from './test/summarized-days.ts'

const engineOn = (storage: Storage) => createEngine({ storage, clock: () => now })

/** Makes an engine with three samples on each of some days before today, and returns these samples. */
async function engineWithDays(days: number, storage = sharedStorage()) {
  const [engine, expected] = [await newEngine(storage), [] as Sample[]]
  for (let ago = 1; ago <= days; ago++) {
    await runStep(engine, expected, { do: 'add', ago, count: 3, application: 'api', spread: hour })
  }
  return { engine, known: expected }
}

describe('engine.compact', () => {
  it('stops at its limit and continues in the next call', async () => {
    const { engine, known: expected } = await engineWithDays(5)
    expect(await engine.compact({ limit: 2 })).toEqual({ days: 2, more: true })
    await expectSameChart(engine, expected, fullRange)
    expect(await engine.compact({ limit: 1 })).toEqual({ days: 1, more: true })
    expect(await engine.compact()).toEqual({ days: 2, more: false })
    expect(await engine.compact()).toEqual({ days: 0, more: false })
    await expectSameChart(engine, expected, fullRange)
  })

  it('reports progress for each day, and starts no day after its deadline or abort', async () => {
    const { engine } = await engineWithDays(4)
    expect(await engine.compact({ deadline: now })).toEqual({ days: 0, more: true })
    const controller = new AbortController()
    const reported: number[] = []
    const progress = (days: number) => {
      reported.push(days)
      if (days === 3) controller.abort()
    }
    expect(await engine.compact({ signal: controller.signal, progress })).toEqual({ days: 3, more: true })
    expect(await engine.compact({ signal: controller.signal, progress })).toEqual({ days: 0, more: true })
    expect(reported).toEqual([1, 2, 3])
    expect(await engine.compact()).toEqual({ days: 1, more: false })
  })

  it('reopens only the day of late samples', async () => {
    const { engine, known: expected } = await engineWithDays(3)
    await engine.compact()
    await runStep(engine, expected, { do: 'add', ago: 2, count: 300, application: 'shop', spread: hour })
    await expectSameChart(engine, expected, fullRange)
    expect(await engine.compact()).toEqual({ days: 1, more: false })
    await expectSameChart(engine, expected, fullRange)
  })

  it('includes samples that are added while a day is being summarized', async () => {
    const storage = sharedStorage()
    const [engine, expected] = [await newEngine(storage), [] as Sample[]]
    const add = (application: string) =>
      runStep(engine, expected, { do: 'add', ago: 3, count: 40, application, spread: hour })
    const interrupted = interceptCommits(storage, async (batch, commit) => {
      if (changesCollection(batch, 'lead-time-day')) await add('last')
      const outcome = await commit(batch)
      if (changesCollection(batch, 'lead-time-epoch')) await add('second')
      return outcome
    })
    await add('first')
    await engineOn(interrupted).compact({ limit: 1 })
    expect(expected).toHaveLength(120)
    await expectSameChart(engine, expected, fullRange)
    await engine.compact()
    await expectSameChart(engine, expected, fullRange)
  })

  it('leaves a day to another process that has summarized it', async () => {
    const storage = sharedStorage()
    const { engine, known: expected } = await engineWithDays(1, storage)
    const racing = interceptCommits(storage, async (batch, commit) => {
      if (changesCollection(batch, 'lead-time-day')) await engine.compact()
      return commit(batch)
    })
    expect(await engineOn(racing).compact()).toEqual({ days: 0, more: true })
    expect(await engine.compact()).toEqual({ days: 0, more: false })
    await expectSameChart(engine, expected, fullRange)
  })

  it('writes nothing for an environment that was deleted and created again concurrently', async () => {
    const storage = sharedStorage()
    const { engine } = await engineWithDays(1, storage)
    const expected: Sample[] = []
    const replaced = interceptCommits(storage, async (batch, commit) => {
      if (changesCollection(batch, 'lead-time-day')) await recreateEnvironment(engine, expected)
      return commit(batch)
    })
    await engineOn(replaced).compact()
    expect(expected).toHaveLength(7)
    await expectSameChart(engine, expected, fullRange)
    await engine.compact()
    await expectSameChart(engine, expected, fullRange)
    await engine.api.deleteProject({ projectKey: 'web' }, { as })
    expect(await engine.compact()).toEqual({ days: 0, more: false })
  })

  it('keeps applications in a chart that is read while they are summarized', async () => {
    const storage = sharedStorage()
    const { engine, known: expected } = await engineWithDays(2, storage)
    const compactingOnRead: Storage = {
      ...storage,
      account(name) {
        const account = storage.account(name)
        return {
          ...account,
          async list(query) {
            await engine.compact()
            return account.list(query)
          },
        }
      },
    }
    await expectSameChart(engineOn(compactingOnRead), expected, { ...fullRange, groupBy: 'application' })
    await expectSameChart(engine, expected, { ...fullRange, groupBy: 'application' })
  })

  it('includes each application when there are more than are summarized together', async () => {
    const { engine } = await engineWithDays(0)
    const samples = Array.from({ length: 1_002 }, (_, i) => {
      const deployedAt = now - day
      return {
        externalId: `${i}`,
        applicationKey: `app-${i}`,
        startedAt: deployedAt - i,
        mergedAt: deployedAt,
        deployedAt,
      }
    })
    await engine.api.createLeadTimeSamples({ body: { ...environmentKeys, samples } }, { as })
    expect(await engine.compact()).toEqual({ days: 1, more: false })
    const { series } = await engine.api.getLeadTimeChart({ ...environmentKeys, groupBy: 'application' }, { as })
    expect(new Set(series.map(({ metadata: { name, count } }) => `${name} ${count}`))).toEqual(
      new Set(samples.map(({ applicationKey }) => `${applicationKey} 1`)),
    )
  })

  it('summarizes no day before the end of an import, because a day can be imported before its samples', async () => {
    const { engine, known: expected } = await engineWithDays(3)
    await engine.compact({ limit: 1 })
    let backUp = ''
    for await (const piece of engine.export()) backUp += piece
    const storage = sharedStorage()
    const target = engineOn(storage)
    const reports: unknown[] = []
    const pieces = async function* () {
      const lines = backUp.split(/(?<=\n)/)
      for (let i = 0; i < lines.length; i += 500) {
        yield lines.slice(i, i + 500).join('')
        reports.push(await target.compact())
      }
    }
    const compacting = interceptCommits(storage, async (batch, commit) => {
      const outcome = await commit(batch)
      if (batch.some((change) => change.do === 'load')) reports.push(await target.compact())
      return outcome
    })
    await engineOn(compacting).import(pieces())
    expect(reports).toContainEqual({ days: 0, more: true })
    expect(reports).not.toContainEqual(expect.objectContaining({ days: 1 }))
    await expectSameChart(target, expected, fullRange)
    expect(await target.compact()).toEqual({ days: 2, more: false })
    await expectSameChart(target, expected, fullRange)
  })
})

/** Deletes the environment and creates it again, with other samples. */
async function recreateEnvironment(engine: Engine, expected: Sample[]): Promise<void> {
  if (expected.length > 0) return
  await engine.api.deleteEnvironment(environmentKeys, { as })
  const body = { key: environmentKeys.environmentKey, name: 'Production', color: '000000' }
  await engine.api.createEnvironment({ projectKey: environmentKeys.projectKey, body }, { as })
  await runStep(engine, expected, { do: 'add', ago: 1, count: 7, application: 'api', spread: hour })
}
