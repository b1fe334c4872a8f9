import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import type { Storage } from '../../entries/storage.ts'
import { createEngine, type Engine } from '../../index.ts'
import { around, touches } from './test/around-commits.ts'
import { as, compare, day, hour, newEngine, now, place, run, type Sample, whole } from './test/summarised-days.ts'

const engineOn = (storage: Storage) => createEngine({ storage, clock: () => now })

/** Makes an engine with three samples on each of some days before today, and returns these samples. */
async function engineWithDays(days: number, storage = createMemoryStorage()) {
  const [engine, known] = [await newEngine(storage), [] as Sample[]]
  for (let ago = 1; ago <= days; ago++) {
    await run(engine, known, { do: 'add', ago, count: 3, application: 'api', spread: hour })
  }
  return { engine, known }
}

describe('engine.compact', () => {
  it('stops at its limit and continues in the next call', async () => {
    const { engine, known } = await engineWithDays(5)
    expect(await engine.compact({ limit: 2 })).toEqual({ days: 2, more: true })
    await compare(engine, known, whole)
    expect(await engine.compact({ limit: 1 })).toEqual({ days: 1, more: true })
    expect(await engine.compact()).toEqual({ days: 2, more: false })
    expect(await engine.compact()).toEqual({ days: 0, more: false })
    await compare(engine, known, whole)
  })

  it('reports progress for each day, and starts no day after its deadline or abort', async () => {
    const { engine } = await engineWithDays(4)
    expect(await engine.compact({ deadline: now })).toEqual({ days: 0, more: true })
    const end = new AbortController()
    const told: number[] = []
    const progress = (days: number) => {
      told.push(days)
      if (days === 3) end.abort()
    }
    expect(await engine.compact({ signal: end.signal, progress })).toEqual({ days: 3, more: true })
    expect(await engine.compact({ signal: end.signal, progress })).toEqual({ days: 0, more: true })
    expect(told).toEqual([1, 2, 3])
    expect(await engine.compact()).toEqual({ days: 1, more: false })
  })

  it('reopens only the day of late samples', async () => {
    const { engine, known } = await engineWithDays(3)
    await engine.compact()
    await run(engine, known, { do: 'add', ago: 2, count: 300, application: 'shop', spread: hour })
    await compare(engine, known, whole)
    expect(await engine.compact()).toEqual({ days: 1, more: false })
    await compare(engine, known, whole)
  })

  it('includes samples that are added after a new epoch started or after the samples were read', async () => {
    const storage = createMemoryStorage()
    const [engine, known] = [await newEngine(storage), [] as Sample[]]
    const add = (application: string) => run(engine, known, { do: 'add', ago: 3, count: 40, application, spread: hour })
    const interrupted = around(storage, async (batch, commit) => {
      if (touches(batch, 'lead-time-day')) await add('last')
      const outcome = await commit(batch)
      if (touches(batch, 'lead-time-epoch')) await add('second')
      return outcome
    })
    await add('first')
    await engineOn(interrupted).compact({ limit: 1 })
    expect(known).toHaveLength(120)
    await compare(engine, known, whole)
    await engine.compact()
    await compare(engine, known, whole)
  })

  it('leaves a day to another process that has summarized it', async () => {
    const storage = createMemoryStorage()
    const { engine, known } = await engineWithDays(1, storage)
    const overtaken = around(storage, async (batch, commit) => {
      if (touches(batch, 'lead-time-day')) await engine.compact()
      return commit(batch)
    })
    expect(await engineOn(overtaken).compact()).toEqual({ days: 0, more: true })
    expect(await engine.compact()).toEqual({ days: 0, more: false })
    await compare(engine, known, whole)
  })

  it('writes nothing for an environment that was deleted and created again concurrently', async () => {
    const storage = createMemoryStorage()
    const { engine } = await engineWithDays(1, storage)
    const known: Sample[] = []
    const replaced = around(storage, async (batch, commit) => {
      if (touches(batch, 'lead-time-day')) await renew(engine, known)
      return commit(batch)
    })
    await engineOn(replaced).compact()
    expect(known).toHaveLength(7)
    await compare(engine, known, whole)
    await engine.compact()
    await compare(engine, known, whole)
    await engine.api.deleteProject({ projectKey: 'web' }, { as })
    expect(await engine.compact()).toEqual({ days: 0, more: false })
  })

  it('keeps applications in a chart that is read while they are summarized', async () => {
    const storage = createMemoryStorage()
    const { engine, known } = await engineWithDays(2, storage)
    const reading: Storage = {
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
    await compare(engineOn(reading), known, { ...whole, groupBy: 'application' })
    await compare(engine, known, { ...whole, groupBy: 'application' })
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
    await engine.api.createLeadTimeSamples({ body: { ...place, samples } }, { as })
    expect(await engine.compact()).toEqual({ days: 1, more: false })
    const { series } = await engine.api.getLeadTimeChart({ ...place, groupBy: 'application' }, { as })
    expect(new Set(series.map(({ metadata: { name, count } }) => `${name} ${count}`))).toEqual(
      new Set(samples.map(({ applicationKey }) => `${applicationKey} 1`)),
    )
  })

  it('waits for the end of an import, which writes marks before their samples', async () => {
    const { engine, known } = await engineWithDays(3)
    await engine.compact({ limit: 1 })
    let backUp = ''
    for await (const piece of engine.export()) backUp += piece
    const storage = createMemoryStorage()
    const target = engineOn(storage)
    const turns: unknown[] = []
    const pieces = async function* () {
      const lines = backUp.split(/(?<=\n)/)
      for (let i = 0; i < lines.length; i += 500) {
        yield lines.slice(i, i + 500).join('')
        turns.push(await target.compact())
      }
    }
    const compacting = around(storage, async (batch, commit) => {
      const outcome = await commit(batch)
      if (batch.some((change) => change.do === 'load')) turns.push(await target.compact())
      return outcome
    })
    await engineOn(compacting).import(pieces())
    expect(turns).toContainEqual({ days: 0, more: true })
    expect(turns).not.toContainEqual(expect.objectContaining({ days: 1 }))
    await compare(target, known, whole)
    expect(await target.compact()).toEqual({ days: 2, more: false })
    await compare(target, known, whole)
  })
})

/** Deletes the environment and creates it again, with other samples. */
async function renew(engine: Engine, known: Sample[]): Promise<void> {
  if (known.length > 0) return
  await engine.api.deleteEnvironment(place, { as })
  const body = { key: place.environmentKey, name: 'Production', color: '000000' }
  await engine.api.createEnvironment({ projectKey: place.projectKey, body }, { as })
  await run(engine, known, { do: 'add', ago: 1, count: 7, application: 'api', spread: hour })
}
