import type { AccountStorage, Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import {
  allow,
  countingStorage,
  day,
  hour,
  insightAccount,
  production,
} from '../insight-groups/test/insight-account.ts'

async function account(storage?: Parameters<typeof insightAccount>[0]) {
  const insights = await insightAccount(storage)
  const { api, as } = insights
  const keysOf = (key: string) => ({ projectKey: 'web', flagKey: key })
  const patch = (key: string, ...steps: [path: string, value: unknown][]) =>
    api.patchFlag({ ...keysOf(key), body: steps.map(([path, value]) => ({ op: 'add' as const, path, value })) }, { as })
  return {
    ...insights,
    keysOf,
    patch,
    createFlag: (key: string, overrides: object = {}) =>
      api.createFlag({ projectKey: 'web', body: { key, name: key, temporary: true, ...overrides } }, { as }),
    switchFlag: (key: string, on: boolean) => patch(key, ['/environments/production/on', on]),
    statuses: (query: object = {}, caller: unknown = as) =>
      api.getFlagStatusChart({ ...production, bucketType: 'day', ...query } as never, { as: caller as never }),
    stale: (query: object = {}, caller: unknown = as) =>
      api.getStaleFlagsChart({ ...production, bucketType: 'day', ...query } as never, { as: caller as never }),
  }
}

type Chart = Awaited<ReturnType<Awaited<ReturnType<typeof account>>['statuses' | 'stale']>>

const lines = ({ series }: Chart) =>
  Object.fromEntries(series.map(({ metadata, data }) => [metadata.name, data.map(({ y }) => y)]))

describe('the flag status chart', () => {
  it('has the same current counts as the list of statuses', async () => {
    const { api, as, createFlag, switchFlag, pass, statuses } = await account()
    for (const key of ['launched', 'inactive', 'off']) await createFlag(key)
    await switchFlag('launched', true)
    await switchFlag('off', true)
    pass(20 * day)
    await switchFlag('off', false)
    await createFlag('new')
    await createFlag('active')
    await switchFlag('active', true)
    pass(hour)
    const { items } = await api.listFlagStatuses(production, { as })
    const { metadata } = await statuses()
    expect(items.map(({ name }) => name).sort()).toEqual(['active', 'active', 'inactive', 'launched', 'new'])
    expect(metadata).toEqual({
      summary: { new: 1, active: 2, launched: 1, inactive: 1, unknown: 0 },
      xAxis: 'timestamp',
      yAxis: 'count',
      name: 'flagStatus',
      metrics: {},
    })
  })

  it('has the status of each past day, from the changes since', async () => {
    const { createFlag, switchFlag, pass, statuses } = await account()
    await createFlag('a')
    pass(3 * day)
    await switchFlag('a', true)
    pass(10 * day)
    await switchFlag('a', false)
    pass(8 * day)
    // Status at the end of each day: new on three days, then on and changed recently, launched, off and changed
    // recently, inactive.
    const chart = await statuses({ from: Date.UTC(2028, 2, 1), expand: 'metrics' })
    expect(lines(chart)).toEqual({
      new: [1, 1, ...Array(19).fill(0)],
      active: [0, 0, ...Array(7).fill(1), 0, 0, 0, ...Array(7).fill(1), 0, 0],
      launched: [...Array(9).fill(0), 1, 1, 1, ...Array(9).fill(0)],
      inactive: [...Array(19).fill(0), 1, 1],
    })
    // There are no counts before the flag was created, and none in the future.
    const wide = await statuses({ from: Date.UTC(2028, 1, 28), to: Date.UTC(2028, 2, 25) })
    expect(lines(wide).new).toEqual([0, 1, 1, 1, ...Array(22).fill(0)])
    expect(lines(wide).inactive?.slice(-5)).toEqual([1, 1, 0, 0, 0])
  })

  it('omits archived flags after their archiving, and flags before their environment was created', async () => {
    const { api, as, createFlag, patch, pass, statuses } = await account()
    await createFlag('a')
    pass(2 * day)
    await patch('a', ['/archived', true])
    await createFlag('b')
    await api.createEnvironment({ projectKey: 'web', body: { key: 'late', name: 'Late', color: '000000' } }, { as })
    pass(2 * day)
    const from = Date.UTC(2028, 2, 1)
    expect(lines(await statuses({ from })).new).toEqual([1, 1, 1, 1])
    expect(lines(await statuses({ from, environmentKey: 'late' })).new).toEqual([0, 1, 1, 1])
  })

  it('follows expired targets', async () => {
    const { api, as, createFlag, patch, pass, keysOf, statuses } = await account()
    await createFlag('a')
    const environmentPath = '/environments/production'
    await patch(
      'a',
      [`${environmentPath}/targets`, [{ values: ['ann'], variation: 0 }]],
      [`${environmentPath}/fallthrough`, { variation: 1 }],
    )
    await patch('a', [`${environmentPath}/on`, true])
    const { variations } = await api.getFlag(keysOf('a'), { as })
    const flagKeys = { ...keysOf('a'), environmentKey: 'production' }
    await api.patchExpiringTargets(
      {
        ...flagKeys,
        body: {
          instructions: [
            {
              kind: 'addExpiringTarget',
              contextKind: 'user',
              contextKey: 'ann',
              variationId: variations[0]?._id,
              value: Date.UTC(2028, 2, 11),
            },
          ],
        } as never,
      },
      { as },
    )
    pass(20 * day)
    const { active, launched } = lines(await statuses({ from: Date.UTC(2028, 2, 1) }))
    expect(active).toEqual([...Array(16).fill(1), 0, 0, 0, 0])
    expect(launched).toEqual([...Array(16).fill(0), 1, 1, 1, 1])
  })

  it('counts only flags whose status the caller may view', async () => {
    const { createFlag, statuses, stale, pass } = await account()
    await createFlag('a')
    await createFlag('b', { tags: ['open'] })
    await createFlag('c')
    pass(40 * day)
    const view = allow(['viewProject'], ['proj/web'])
    const inactiveFor = async (resource: string) => {
      const caller = { policy: [view, allow(['viewFlagStatus'], [resource])] }
      const { summary } = (await statuses({}, caller)).metadata
      expect((await stale({}, caller)).metadata.summary.stale).toBe(summary.inactive)
      return summary.inactive
    }
    expect(await inactiveFor('proj/web:env/production:flag/a')).toBe(1)
    expect(await inactiveFor('proj/web:env/production:flag/*;open')).toBe(1)
    expect(await inactiveFor('proj/web:env/test:flag/*')).toBe(0)
    expect(await inactiveFor('proj/web:env/*:flag/*')).toBe(3)
  })
})

describe('the stale flags chart', () => {
  it('counts temporary flags that are older than 30 days and inactive or launched', async () => {
    const { createFlag, switchFlag, pass, stale } = await account()
    await createFlag('inactive')
    await createFlag('launched')
    await createFlag('kept', { temporary: false })
    await createFlag('changed')
    await switchFlag('launched', true)
    pass(28 * day)
    await switchFlag('changed', true)
    await createFlag('young')
    pass(4 * day + 1)
    const chart = await stale({ from: Date.UTC(2028, 2, 29), expand: 'metrics' })
    // On the thirtieth day at midnight the flags are exactly 30 days old, not older.
    expect(lines(chart)).toEqual({ stale: [0, 0, 2, 2, 2] })
    expect(chart.series[0]?.data.map(({ values }) => values.temporary)).toContain(4)
    expect(chart.metadata.summary).toEqual({ stale: 2, temporary: 4, unknown: 0, share: 0.5 })
    expect(chart.metadata.metrics.flagHealth).toMatchObject({
      value: 0.5,
      unit: 'share',
      modifier: 'of temporary flags',
      indicator: 'fair',
      tiers: expect.arrayContaining([
        { indicator: 'excellent', description: 'at most 10 % of temporary flags are stale' },
      ]),
    })
  })

  it('is not rated without temporary flags', async () => {
    const { createFlag, stale } = await account()
    await createFlag('kept', { temporary: false })
    const { metadata } = await stale({ expand: 'metrics' })
    expect(metadata.metrics.flagHealth?.indicator).toBe('notCalculated')
    expect(metadata.summary).toEqual({ stale: 0, temporary: 0, unknown: 0, share: 0 })
  })

  it('groups by maintainer and by age, and filters by maintainers', async () => {
    const { api, as, createFlag, pass, stale } = await account()
    await api.createTeam({ body: { key: 'growth', name: 'Growth' } }, { as })
    await createFlag('team', { maintainerTeamKey: 'growth' })
    pass(70 * day)
    await createFlag('nobody')
    pass(35 * day)
    const names = async (query: object) =>
      (await stale(query)).series.map(({ metadata }) => [metadata.name, metadata.count])
    expect(await names({ groupBy: 'age' })).toEqual([
      ['upTo90Days', 1],
      ['upTo180Days', 1],
      ['upTo365Days', 0],
      ['over365Days', 0],
    ])
    const byMaintainer = await names({ groupBy: 'maintainer' })
    expect(byMaintainer).toContainEqual(['team/growth', 1])
    expect(byMaintainer).toHaveLength(2)
    expect(await names({ groupBy: 'maintainer', maintainerTeamKey: 'growth' })).toEqual([['team/growth', 1]])
    expect(await names({ maintainerId: 'somebody-else' })).toEqual([['stale', 0]])
    expect(await names({ maintainerId: 'somebody-else', maintainerTeamKey: 'growth' })).toEqual([['stale', 1]])
  })
})

it('charts of flags need six queries of rows and columns for any number of flags', async () => {
  const { storage, asked: queries } = countingStorage()
  const { createFlag, switchFlag, statuses, stale } = await account(storage)
  for (let i = 0; i < 12; i++) await createFlag(`f${i}`)
  await switchFlag('f1', true)
  for (const chart of [statuses, stale]) {
    queries.length = 0
    await chart({}, { role: 'admin' })
    expect(queries.toSorted()).toEqual(['list', 'list', 'list', 'list', 'list', 'scan'])
  }
})

/** A storage that responds in a later turn of the event loop. Queries of one turn are one statement of a database. */
function batchingStorage() {
  const storage = createMemoryStorage()
  const batches: string[][] = []
  let switchFlag: string[] | undefined
  const inNextTurn = async <T>(method: string, query: () => Promise<T>): Promise<T> => {
    if (!switchFlag) {
      batches.push((switchFlag = []))
      setImmediate(() => {
        switchFlag = undefined
      })
    }
    switchFlag.push(method)
    await new Promise(setImmediate)
    return query()
  }
  const delayed: Storage = {
    ...storage,
    account(name) {
      const account: AccountStorage = storage.account(name)
      return {
        ...account,
        list: (query) => inNextTurn('list', () => account.list(query)),
        scan: (query) => inNextTurn('scan', () => account.scan(query)),
      }
    },
  }
  return { storage: delayed, turns: batches }
}

it('charts of all flags need one batch of queries, charts of some flags two', async () => {
  const { storage, turns: batches } = batchingStorage()
  const { createFlag, switchFlag, statuses, stale } = await account(storage)
  await createFlag('f')
  await switchFlag('f', true)
  const batchesOf = async (chart: typeof statuses | typeof stale) => {
    batches.length = 0
    await chart({}, { role: 'admin' })
    return batches.map((queries) => queries.toSorted())
  }
  expect(await batchesOf(statuses)).toEqual([['list', 'list', 'list', 'list', 'list', 'scan']])
  expect(await batchesOf(stale)).toEqual([
    ['list', 'list', 'scan'],
    ['list', 'list', 'list'],
  ])
})
