import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createGate } from '../../../../../test/setup/gate.ts'
import { createToggledFlag, environmentKeys } from '../../../../../test/setup/toggled-flag.ts'
import { type AccountStorage, type Storage, storageUnavailable } from '../../entries/storage.ts'
import { createEngine, type LogEntry } from '../../index.ts'
import { awaitTurns } from '../flags/test/flag-project.ts'

const ann = { kind: 'user', key: 'ann' }

/** A memory storage whose reads fail or wait on request. */
function controlledStorage() {
  const storage = createMemoryStorage()
  let down = false
  const { waitUntilOpen: unblocked, close: blockReads } = createGate()
  const controlled = (account: AccountStorage): AccountStorage => ({
    ...account,
    async getMany(ids) {
      const documents = await account.getMany(ids)
      await unblocked()
      if (down) throw storageUnavailable('down for a test')
      return documents
    },
  })
  const wrapped: Storage = { ...storage, account: (name) => controlled(storage.account(name)) }
  return {
    storage,
    wrapped,
    setDown: (value: boolean) => {
      down = value
    },
    /** Blocks reads from now on, after they have read the storage. Returns a function that unblocks them. */
    hold: blockReads,
  }
}

/** Creates a project with the flag `f`, which is on, by an engine whose storage the test does not control. */
async function project() {
  const controlled = controlledStorage()
  const writer = createEngine({ storage: controlled.storage })
  const { turn: turnFlag } = await createToggledFlag(writer)
  await turnFlag('turnFlagOn')
  let now = 0
  const log: LogEntry[] = []
  const reader = createEngine({ storage: controlled.wrapped, clock: () => now, log: (entry) => void log.push(entry) })
  const evaluator = reader.evaluator(environmentKeys)
  await evaluator.ready()
  return {
    ...controlled,
    turn: turnFlag,
    evaluator,
    log,
    value: () => evaluator.evaluate('f', ann, false).value,
    pass: (ms: number) => (now += ms),
  }
}

describe('a cached environment', () => {
  it('keeps its content while the storage is down, and is updated afterwards', async () => {
    const { turn: turnFlag, value, setDown, log, pass, evaluator } = await project()
    setDown(true)
    await turnFlag('turnFlagOff')
    await expect(evaluator.ready()).rejects.toThrow('down for a test')
    expect(value()).toBe(true)
    expect(log).toMatchObject([{ level: 'error', event: 'ruleset_not_read', message: 'web/production' }])
    setDown(false)
    // The read is not repeated within a second: if every evaluation caused a read, it would overload a storage that is
    // down.
    expect(value()).toBe(true)
    await awaitTurns(50)
    expect(value()).toBe(true)
    pass(1_000)
    expect(value()).toBe(true)
    await awaitTurns(50)
    expect(value()).toBe(false)
    expect(log).toHaveLength(1)
  })

  it('never replaces newer content by the result of a slow read', async () => {
    const { turn: turnFlag, value, hold: blockReads, evaluator } = await project()
    const unblock = blockReads()
    await turnFlag('turnFlagOff')
    // The blocked read has already read the flag as off.
    await turnFlag('turnFlagOn')
    const ready = evaluator.ready()
    unblock()
    await ready
    expect(value()).toBe(true)
  })

  it('eventually equals the stored content, even when documents are written during its reads', async () => {
    const { turn: turnFlag, value, hold: blockReads, evaluator } = await project()
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('on', 'off', 'hold', 'open'), { maxLength: 12 }), async (steps) => {
        let unblock = () => {}
        let isOn = value()
        for (const step of steps) {
          if (step === 'hold') {
            unblock()
            unblock = blockReads()
          } else if (step === 'open') unblock()
          else {
            isOn = step === 'on'
            await turnFlag(isOn ? 'turnFlagOn' : 'turnFlagOff')
          }
        }
        unblock()
        await evaluator.ready()
        expect(value()).toBe(isOn)
      }),
      { numRuns: 40 },
    )
  })
})
