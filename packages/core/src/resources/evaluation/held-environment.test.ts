import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gate } from '../../../../../test/setup/gate.ts'
import { place, turnedFlag } from '../../../../../test/setup/turned-flag.ts'
import { type AccountStorage, type Storage, storageUnavailable } from '../../entries/storage.ts'
import { createEngine, type LogEntry } from '../../index.ts'
import { turns } from '../flags/test/flag-project.ts'

const ann = { kind: 'user', key: 'ann' }

/** A memory storage whose reads fail or wait on request. */
function movableStorage() {
  const storage = createMemoryStorage()
  let down = false
  const { passed, hold } = gate()
  const slowed = (account: AccountStorage): AccountStorage => ({
    ...account,
    async getMany(ids) {
      const found = await account.getMany(ids)
      await passed()
      if (down) throw storageUnavailable('down for a test')
      return found
    },
  })
  const wrapped: Storage = { ...storage, account: (name) => slowed(storage.account(name)) }
  return {
    storage,
    wrapped,
    setDown: (value: boolean) => {
      down = value
    },
    /** Blocks reads from now on, after they have read the storage. Returns a function that unblocks them. */
    hold,
  }
}

/** Creates a project with the flag `f`, which is on, by an engine on the uncontrolled storage. */
async function project() {
  const movable = movableStorage()
  const writer = createEngine({ storage: movable.storage })
  const { turn } = await turnedFlag(writer)
  await turn('turnFlagOn')
  let now = 0
  const log: LogEntry[] = []
  const reader = createEngine({ storage: movable.wrapped, clock: () => now, log: (entry) => void log.push(entry) })
  const evaluator = reader.evaluator(place)
  await evaluator.ready()
  return {
    ...movable,
    turn,
    evaluator,
    log,
    value: () => evaluator.evaluate('f', ann, false).value,
    pass: (ms: number) => (now += ms),
  }
}

describe('a cached environment', () => {
  it('keeps its content while the storage is down, and catches up afterwards', async () => {
    const { turn, value, setDown, log, pass, evaluator } = await project()
    setDown(true)
    await turn('turnFlagOff')
    await expect(evaluator.ready()).rejects.toThrow('down for a test')
    expect(value()).toBe(true)
    expect(log).toMatchObject([{ level: 'error', event: 'ruleset_not_read', message: 'web/production' }])
    setDown(false)
    // Not within a second: reads at every evaluation would overload a storage that is down.
    expect(value()).toBe(true)
    await turns(50)
    expect(value()).toBe(true)
    pass(1_000)
    expect(value()).toBe(true)
    await turns(50)
    expect(value()).toBe(false)
    expect(log).toHaveLength(1)
  })

  it('never replaces newer content by the result of a slow read', async () => {
    const { turn, value, hold, evaluator } = await project()
    const open = hold()
    await turn('turnFlagOff')
    // The read is pending, and has read the flag as off.
    await turn('turnFlagOn')
    const ready = evaluator.ready()
    open()
    await ready
    expect(value()).toBe(true)
  })

  it('ends with the stored content, whatever is written during reads', async () => {
    const { turn, value, hold, evaluator } = await project()
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('on', 'off', 'hold', 'open'), { maxLength: 12 }), async (steps) => {
        let open = () => {}
        let on = value()
        for (const step of steps) {
          if (step === 'hold') {
            open()
            open = hold()
          } else if (step === 'open') open()
          else {
            on = step === 'on'
            await turn(on ? 'turnFlagOn' : 'turnFlagOff')
          }
        }
        open()
        await evaluator.ready()
        expect(value()).toBe(on)
      }),
      { numRuns: 40 },
    )
  })
})
