import { createMemoryStorage } from '@halyard/storage-memory'
import { expect, it } from 'vitest'
import { leadTimeDays, openDays } from '../../models/lead-time/lead-time-day.ts'
import type { AccountStorage } from '../../storage/port.ts'
import { day, expectSameChart, fullRange, hour, newEngine, now, runStep, type Sample } from './test/summarized-days.ts'

/**
 * Returns the days that have a summary, and those that are read from samples. A day is the number of days before today.
 */
async function daysOf(storage: AccountStorage) {
  const daysIn = async (collection: string) => {
    const query = { collection, scope: '', deep: true, where: [], order: [], limit: 100, select: 'fields' } as const
    const { items } = await storage.list(query)
    return new Set(items.map(({ key }) => Math.floor(now / day) - Number.parseInt(key, 10)))
  }
  return { summarized: await daysIn(leadTimeDays.name), open: await daysIn(openDays.name) }
}

it('past days are summarized in memory soon after ten thousand samples, without a call of compact', async () => {
  const storage = createMemoryStorage()
  const [engine, expected] = [await newEngine(storage), [] as Sample[]]
  const state = () => daysOf(storage.account('default'))
  for (const ago of [0, 1, 3]) {
    await runStep(engine, expected, { do: 'add', ago, count: 4_000, application: 'api', spread: hour })
  }
  await expectSameChart(engine, expected, fullRange)
  await expect.poll(state).toEqual({ summarized: new Set([1, 3]), open: new Set([0]) })
  await expectSameChart(engine, expected, fullRange)
  // Samples for days that are summarized already, and for an earlier day.
  await runStep(engine, expected, { do: 'add', ago: 3, count: 6_000, application: 'shop', spread: hour })
  await runStep(engine, expected, { do: 'add', ago: 7, count: 4_000, application: 'api', spread: hour })
  await expectSameChart(engine, expected, fullRange)
  await expect.poll(state).toEqual({ summarized: new Set([1, 3, 7]), open: new Set([0]) })
  await expectSameChart(engine, expected, fullRange)
  await engine.close()
})
