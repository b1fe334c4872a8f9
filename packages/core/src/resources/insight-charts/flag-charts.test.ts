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
  const made = await insightAccount(storage)
  const { api, as } = made
  const keysOf = (key: string) => ({ projectKey: 'web', featureFlagKey: key })
  const patch = (key: string, ...steps: [path: string, value: unknown][]) =>
    api.patchFlag({ ...keysOf(key), body: steps.map(([path, value]) => ({ op: 'add' as const, path, value })) }, { as })
  return {
    ...made,
    keysOf,
    patch,
    make: (key: string, more: object = {}) =>
      api.createFlag({ projectKey: 'web', body: { key, name: key, temporary: true, ...more } }, { as }),
    turn: (key: string, on: boolean) => patch(key, ['/environments/production/on', on]),
    statuses: (query: object = {}, by: unknown = as) =>
      api.getFlagStatusChart({ ...production, bucketType: 'day', ...query } as never, { as: by as never }),
    stale: (query: object = {}, by: unknown = as) =>
      api.getStaleFlagsChart({ ...production, bucketType: 'day', ...query } as never, { as: by as never }),
  }
}

type Chart = Awaited<ReturnType<Awaited<ReturnType<typeof account>>['statuses' | 'stale']>>

const lines = ({ series }: Chart) =>
  Object.fromEntries(series.map(({ metadata, data }) => [metadata.name, data.map(({ y }) => y)]))

describe('the flag status chart', () => {
  it('has the same current counts as the list of statuses', async () => {
    const { api, as, make, turn, pass, statuses } = await account()
    for (const key of ['launched', 'inactive', 'off']) await make(key)
    await turn('launched', true)
    await turn('off', true)
    pass(20 * day)
    await turn('off', false)
    await make('new')
    await make('active')
    await turn('active', true)
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
    const { make, turn, pass, statuses } = await account()
    await make('a')
    pass(3 * day)
    await turn('a', true)
    pass(10 * day)
    await turn('a', false)
    pass(8 * day)
    // At the end of each day: three days new, on and changed recently, launched, off and changed recently, inactive.
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
    const { api, as, make, patch, pass, statuses } = await account()
    await make('a')
    pass(2 * day)
    await patch('a', ['/archived', true])
    await make('b')
    await api.createEnvironment({ projectKey: 'web', body: { key: 'late', name: 'Late', color: '000000' } }, { as })
    pass(2 * day)
    const from = Date.UTC(2028, 2, 1)
    expect(lines(await statuses({ from })).new).toEqual([1, 1, 1, 1])
    expect(lines(await statuses({ from, environmentKey: 'late' })).new).toEqual([0, 1, 1, 1])
  })

  it('follows expired targets', async () => {
    const { api, as, make, patch, pass, keysOf, statuses } = await account()
    await make('a')
    const place = '/environments/production'
    await patch(
      'a',
      [`${place}/targets`, [{ values: ['ann'], variation: 0 }]],
      [`${place}/fallthrough`, { variation: 1 }],
    )
    await patch('a', [`${place}/on`, true])
    const { variations } = await api.getFlag(keysOf('a'), { as })
    const expiring = { ...keysOf('a'), environmentKey: 'production' }
    await api.patchExpiringTargets(
      {
        ...expiring,
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
    const { make, statuses, stale, pass } = await account()
    await make('a')
    await make('b', { tags: ['open'] })
    await make('c')
    pass(40 * day)
    const view = allow(['viewProject'], ['proj/web'])
    const of = async (resource: string) => {
      const by = { policy: [view, allow(['viewFlagStatus'], [resource])] }
      const { summary } = (await statuses({}, by)).metadata
      expect((await stale({}, by)).metadata.summary.stale).toBe(summary.inactive)
      return summary.inactive
    }
    expect(await of('proj/web:env/production:flag/a')).toBe(1)
    expect(await of('proj/web:env/production:flag/*;open')).toBe(1)
    expect(await of('proj/web:env/test:flag/*')).toBe(0)
    expect(await of('proj/web:env/*:flag/*')).toBe(3)
  })
})

describe('the stale flags chart', () => {
  it('counts temporary flags that are older than 30 days and inactive or launched', async () => {
    const { make, turn, pass, stale } = await account()
    await make('inactive')
    await make('launched')
    await make('kept', { temporary: false })
    await make('changed')
    await turn('launched', true)
    pass(28 * day)
    await turn('changed', true)
    await make('young')
    pass(4 * day + 1)
    const chart = await stale({ from: Date.UTC(2028, 2, 29), expand: 'metrics' })
    // On the thirtieth day at midnight they are exactly 30 days old, not older.
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
    const { make, stale } = await account()
    await make('kept', { temporary: false })
    const { metadata } = await stale({ expand: 'metrics' })
    expect(metadata.metrics.flagHealth?.indicator).toBe('notCalculated')
    expect(metadata.summary).toEqual({ stale: 0, temporary: 0, unknown: 0, share: 0 })
  })

  it('groups by maintainer and by age, and filters by maintainers', async () => {
    const { api, as, make, pass, stale } = await account()
    await api.createTeam({ body: { key: 'growth', name: 'Growth' } }, { as })
    await make('team', { maintainerTeamKey: 'growth' })
    pass(70 * day)
    await make('nobody')
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
  const { storage, asked } = countingStorage()
  const { make, turn, statuses, stale } = await account(storage)
  for (let i = 0; i < 12; i++) await make(`f${i}`)
  await turn('f1', true)
  for (const chart of [statuses, stale]) {
    asked.length = 0
    await chart({}, { role: 'admin' })
    expect(asked.toSorted()).toEqual(['list', 'list', 'list', 'list', 'list', 'scan'])
  }
})

/** A storage that responds in a later turn of the event loop. Queries of one turn are one statement of a database. */
function turnwiseStorage() {
  const storage = createMemoryStorage()
  const turns: string[][] = []
  let turn: string[] | undefined
  const later = async <T>(verb: string, ask: () => Promise<T>): Promise<T> => {
    if (!turn) {
      turns.push((turn = []))
      setImmediate(() => {
        turn = undefined
      })
    }
    turn.push(verb)
    await new Promise(setImmediate)
    return ask()
  }
  const slow: Storage = {
    ...storage,
    account(name) {
      const account: AccountStorage = storage.account(name)
      return {
        ...account,
        list: (query) => later('list', () => account.list(query)),
        scan: (query) => later('scan', () => account.scan(query)),
      }
    },
  }
  return { storage: slow, turns }
}

it('charts of all flags need one batch of queries, charts of some flags two', async () => {
  const { storage, turns } = turnwiseStorage()
  const { make, turn, statuses, stale } = await account(storage)
  await make('f')
  await turn('f', true)
  const turnsOf = async (chart: typeof statuses | typeof stale) => {
    turns.length = 0
    await chart({}, { role: 'admin' })
    return turns.map((asked) => asked.toSorted())
  }
  expect(await turnsOf(statuses)).toEqual([['list', 'list', 'list', 'list', 'list', 'scan']])
  expect(await turnsOf(stale)).toEqual([
    ['list', 'list', 'scan'],
    ['list', 'list', 'list'],
  ])
})
