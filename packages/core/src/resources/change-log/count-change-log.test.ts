import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createEngine } from '../../index.ts'

const start = Date.UTC(2026, 0, 31)
const as = { role: 'admin' } as const
const webOnly = { effect: 'allow' as const, resources: ['proj/web-*'], actions: ['*'] }

/** Creates teams and projects at these times, in ms after the start, and returns the API. */
async function accountWith(times: readonly number[]) {
  let now = start
  const engine = createEngine({ storage: createMemoryStorage(), clock: () => now })
  for (const [index, at] of times.entries()) {
    now = start + at
    const key = `web-${index}`
    if (index % 3 === 0) await engine.api.createTeam({ body: { key, name: key } }, { as })
    else await engine.api.createProject({ body: { key, name: key } }, { as })
  }
  return { api: engine.api, setTime: (at: number) => (now = start + at) }
}

const sortedTimes = fc.array(fc.nat(1_000), { minLength: 1, maxLength: 12 }).map((times) => times.sort((a, b) => a - b))

it('countChangeLog counts each entry of the period once, in the bucket that contains its time', async () => {
  await fc.assert(
    fc.asyncProperty(
      sortedTimes,
      fc.nat(1_000),
      fc.integer({ min: 1, max: 1_000 }),
      fc.integer({ min: 1, max: 500 }),
      fc.boolean(),
      async (times, after, length, buckets, onlyProjects) => {
        const { api } = await accountWith(times)
        const query = { after: start + after, before: start + after + length, buckets }
        const counted = await api.countChangeLog({ ...query, body: onlyProjects ? [webOnly] : [] }, { as })
        const { bucketIntervalMs: interval } = counted
        const expected = times.filter(
          (at, index) => at >= after && at < after + length && !(onlyProjects && index % 3 === 0),
        )
        expect(counted.totalCount).toBe(expected.length)
        expect(counted.buckets.length).toBeLessThanOrEqual(buckets)
        // The buckets are adjacent, and the last one contains the end of the period.
        expect(interval * counted.buckets.length).toBeGreaterThanOrEqual(length)
        expect(interval * (counted.buckets.length - 1)).toBeLessThan(length)
        for (const [index, { timestamp, count }] of counted.buckets.entries()) {
          const from = after + index * interval
          expect(Number(timestamp)).toBe(start + from)
          expect(count).toBe(expected.filter((at) => at >= from && at < from + interval).length)
        }
      },
    ),
    { numRuns: 40 },
  )
})

it('countChangeLog counts all matching entries, also when one read does not return all of them', async () => {
  const { api, setTime } = await accountWith([0])
  await api.createProject({ body: { key: 'web-1', name: 'Web' } }, { as })
  const rename = (name: string) =>
    api.patchProject({ projectKey: 'web-1', body: [{ op: 'replace', path: '/name', value: name }] }, { as })
  for (let index = 0; index < 2_100; index++) {
    setTime(Math.floor(index / 7))
    await rename(`Web ${index}`)
  }
  setTime(301)
  const { totalCount, buckets } = await api.countChangeLog({ after: start, buckets: 301, body: [webOnly] }, { as })
  expect(totalCount).toBe(2_101)
  expect(buckets.map(({ count }) => count)).toEqual([8, ...new Array(299).fill(7), 0])
})

it.each([
  [{ after: start, before: start }, 'after'],
  [{ after: start + 1_000 }, 'after'],
  [{ after: start, before: start + 1, buckets: 501 }, 'buckets'],
])('countChangeLog refuses %j, and names %s', async (query, attribute) => {
  const { api } = await accountWith([0])
  await expect(api.countChangeLog({ ...query, body: [] }, { as })).rejects.toMatchObject({
    body: { code: 'invalid_request', errors: [{ attribute }] },
  })
})
