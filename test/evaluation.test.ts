import { createEngine, type Engine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { postgresStorages } from './setup/postgres-storages.ts'
import { createToggledFlag, environmentKeys } from './setup/toggled-flag.ts'

const storages = postgresStorages()
afterAll(() => storages.dispose())

const ann = { kind: 'user', key: 'ann' }

it('an evaluator follows the commits of another process on Postgres', async () => {
  const storage = await storages.open()
  const engines = [storage, await storages.openSecond(storage)].map((openedStorage: Storage) =>
    createEngine({ storage: openedStorage }),
  )
  onTestFinished(async () => {
    for (const engine of engines) await engine.close()
  })
  const [localEngine, remoteEngine] = engines as [Engine, Engine]
  const { turn } = await createToggledFlag(localEngine)
  const evaluator = remoteEngine.evaluator(environmentKeys)
  await evaluator.ready()
  await localEngine.evaluator(environmentKeys).ready()
  expect(evaluator.evaluate('f', ann, true)).toEqual({ value: false, variationIndex: 1, reason: { kind: 'OFF' } })

  await turn('turnFlagOn')
  expect(localEngine.evaluate('f', ann, false, environmentKeys).value).toBe(true)
  await expect.poll(() => evaluator.evaluate('f', ann, false).value, { interval: 1, timeout: 10_000 }).toBe(true)
  await turn('turnFlagOff')
  expect(localEngine.evaluate('f', ann, true, environmentKeys).value).toBe(false)
  await expect.poll(() => evaluator.evaluate('f', ann, true).value, { interval: 1, timeout: 10_000 }).toBe(false)
})
