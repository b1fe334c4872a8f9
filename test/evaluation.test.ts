import { createEngine, type Engine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { postgresStorages } from './setup/postgres-storages.ts'
import { place, turnedFlag } from './setup/turned-flag.ts'

const storages = postgresStorages()
afterAll(() => storages.dispose())

const ann = { kind: 'user', key: 'ann' }

it('an evaluator follows the commits of another process on Postgres', async () => {
  const storage = await storages.open()
  const engines = [storage, await storages.openBeside(storage)].map((one: Storage) => createEngine({ storage: one }))
  onTestFinished(async () => {
    for (const engine of engines) await engine.close()
  })
  const [mine, theirs] = engines as [Engine, Engine]
  const { turn } = await turnedFlag(mine)
  const evaluator = theirs.evaluator(place)
  await evaluator.ready()
  await mine.evaluator(place).ready()
  expect(evaluator.evaluate('f', ann, true)).toEqual({ value: false, variationIndex: 1, reason: { kind: 'OFF' } })

  await turn('turnFlagOn')
  expect(mine.evaluate('f', ann, false, place).value).toBe(true)
  await expect.poll(() => evaluator.evaluate('f', ann, false).value, { interval: 1, timeout: 10_000 }).toBe(true)
  await turn('turnFlagOff')
  expect(mine.evaluate('f', ann, true, place).value).toBe(false)
  await expect.poll(() => evaluator.evaluate('f', ann, true).value, { interval: 1, timeout: 10_000 }).toBe(false)
})
