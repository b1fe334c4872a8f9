import { describe, expect, it } from 'vitest'
import { day, hour, insightAccount, production } from '../insight-groups/test/insight-account.ts'

/** Makes a project with a flag. The clock moves by an hour at each change. */
async function account() {
  const insights = await insightAccount()
  const { api, as, pass } = insights
  const flag = { projectKey: 'web', flagKey: 'checkout' }
  await api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as })
  const change = async (path: string, value: unknown, environmentKey = 'production') => {
    pass(hour)
    const body = [{ op: 'replace' as const, path: `/environments/${environmentKey}${path}`, value }]
    await api.patchFlag({ ...flag, body }, { as })
  }
  return {
    ...insights,
    flag,
    change,
    chart: (query: object = {}) => {
      pass(1)
      return api.getReleaseFrequencyChart({ ...production, ...query }, { as })
    },
  }
}

describe('the release frequency chart', () => {
  it('counts changes that turn a flag on or change the values that it serves', async () => {
    const { change, chart } = await account()
    const counts = async () => {
      const { summary } = (await chart()).metadata
      return [summary.turnedOn, summary.served]
    }
    expect(await counts()).toEqual([0, 0])
    // While the flag is off, changes of the fallthrough do not change what contexts get.
    await change('/fallthrough', { variation: 1 })
    expect(await counts()).toEqual([0, 0])
    await change('/offVariation', 0)
    expect(await counts()).toEqual([0, 1])
    await change('/on', true)
    expect(await counts()).toEqual([1, 1])
    await change('/fallthrough', { variation: 0 })
    expect(await counts()).toEqual([1, 2])
    await change('/trackEvents', true)
    await change('/offVariation', 1)
    await change('/on', false)
    expect(await counts()).toEqual([1, 2])
    await change('/on', true)
    expect(await counts()).toEqual([2, 2])
  })

  it('counts in the right bucket and environment, and by kind on request', async () => {
    const { change, chart, pass } = await account()
    await change('/on', true)
    pass(day)
    await change('/fallthrough', { variation: 1 })
    await change('/on', true, 'test')
    const chartByKind = await chart({ groupBy: 'kind', bucketType: 'rolling', bucketMs: day })
    expect(
      chartByKind.series.map((line) => [line.metadata.name, line.metadata.count, line.data.map(({ y }) => y)]),
    ).toEqual([
      ['turnedOn', 1, [0, 0, 0, 0, 0, 1, 0]],
      ['served', 1, [0, 0, 0, 0, 0, 0, 1]],
    ])
    const { metadata, series } = await chart()
    expect(metadata).toMatchObject({ name: 'releaseFrequency', xAxis: 'timestamp', yAxis: 'count', metrics: {} })
    expect(metadata.summary).toEqual({ releases: 2, turnedOn: 1, served: 1, perDay: 2 / 7 })
    expect(series.map((line) => [line.metadata.name, line.metadata.count])).toEqual([['releases', 2]])
    expect((await chart({ environmentKey: 'test' })).metadata.summary.releases).toBe(1)
  })

  it('does not count rejected changes or patches without effect', async () => {
    const { api, change, chart, flag } = await account()
    await change('/on', true)
    await change('/on', true)
    const body = [{ op: 'replace' as const, path: '/environments/production/on', value: false }]
    await expect(api.patchFlag({ ...flag, body }, { as: { role: 'reader' } })).rejects.toMatchObject({ status: 403 })
    expect((await chart()).metadata.summary.releases).toBe(1)
  })

  it('continues to count for a flag that is created again with the same key', async () => {
    const { api, as, change, chart, flag, pass } = await account()
    await change('/on', true)
    await api.deleteFlag(flag, { as })
    pass(hour)
    await api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as })
    await change('/on', true)
    expect((await chart()).metadata.summary.turnedOn).toBe(2)
  })
})
