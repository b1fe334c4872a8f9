import { createMemoryStorage } from '@halyard/storage-memory'
import { expect, it } from 'vitest'
import type { LogEntry } from '../operation/context.ts'
import { platform } from '../platform.ts'
import { BackgroundWork } from './background-work.ts'

/** Work that takes some time, with timers that a test ends by hand. */
function timedWork(workMs: number) {
  const timers: { readonly ms: number; work(): void }[] = []
  const logged: LogEntry[] = []
  let time = 0
  const host = { ...platform, now: () => time, log: (entry: LogEntry) => void logged.push(entry) }
  const backgroundWork = new BackgroundWork(createMemoryStorage().account('default'), host, (ms, work) => {
    const timer = { ms, work }
    timers.push(timer)
    return () => void timers.splice(timers.indexOf(timer), 1)
  })
  let calls = 0
  let during = () => {}
  const work = async () => {
    calls++
    during()
    time += workMs
  }
  return {
    logged,
    calls: () => calls,
    /** Calls a function during each run of the work. */
    doDuring(action: () => void) {
      during = action
    },
    request: (records = 10_000) => backgroundWork.request(work, records),
    stop: () => backgroundWork.stop(),
    delays: () => timers.map(({ ms }) => ms),
    async endPause() {
      timers.shift()?.work()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

it('background work runs once when requests add up to ten thousand records, and takes at most a tenth of the time', async () => {
  const work = timedWork(500)
  work.request(6_000)
  expect(work.delays()).toEqual([])
  work.request(4_000)
  work.request()
  expect(work.delays()).toEqual([1_000])
  await work.endPause()
  expect(work.calls()).toBe(1)
  work.request(9_999)
  expect(work.delays()).toEqual([])
  work.request()
  expect(work.delays()).toEqual([4_500])
})

it('background work runs again for a request that arrives during the work', async () => {
  const work = timedWork(0)
  work.doDuring(() => work.request())
  work.request()
  await work.endPause()
  expect([work.calls(), work.delays()]).toEqual([1, [1_000]])
})

it('background work logs a failure, and runs again for the next request', async () => {
  const work = timedWork(0)
  const error = new Error('out of memory')
  work.doDuring(() => {
    throw error
  })
  work.request()
  await work.endPause()
  expect(work.logged).toEqual([{ level: 'warn', event: 'background-work-failed', error }])
  work.request()
  expect(work.delays()).toEqual([1_000])
})

it('background work does not begin after it was stopped', async () => {
  const work = timedWork(0)
  work.request()
  work.stop()
  expect(work.delays()).toEqual([])
  work.request()
  expect(work.delays()).toEqual([])
})
