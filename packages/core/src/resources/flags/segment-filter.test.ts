import { expect, it } from 'vitest'
import { flagProject } from './test/flag-project.ts'

it('listFlags finds the flags that target a segment in an environment', async () => {
  const { api, as, create, instruct, segment, get } = await flagProject()
  for (const key of ['beta', 'vip']) for (const environment of ['production', 'test']) await segment(key, environment)
  for (const key of ['a', 'b', 'c']) await create(key)
  const targetSegment = async (flagKey: string, segmentKey: string, environmentKey: string) => {
    const clauses = [{ attribute: 'segmentMatch', op: 'segmentMatch', values: [segmentKey], negate: false }]
    const variationId = (await get(flagKey)).variations[0]?._id
    await instruct(flagKey, [{ kind: 'addRule', clauses, variationId }], { environmentKey })
  }
  await targetSegment('a', 'beta', 'production')
  await targetSegment('b', 'vip', 'production')
  await targetSegment('c', 'beta', 'test')
  const keysWith = async (filter: string) =>
    (await api.listFlags({ projectKey: 'web', filter, sort: 'key' }, { as })).items.map(({ key }) => key)
  expect(await keysWith('segmentTargeted:beta,filterEnv:production')).toEqual(['a'])
  expect(await keysWith('segmentTargeted:beta,filterEnv:production+test')).toEqual(['a', 'c'])
  expect(await keysWith('segmentTargeted:beta+vip,filterEnv:production')).toEqual(['a', 'b'])
  expect(await keysWith('segmentTargeted:none,filterEnv:production')).toEqual([])
  expect(await keysWith('segmentTargeted:beta,filterEnv:none')).toEqual([])
  const rules = (await get('a')).environments?.production?.rules ?? []
  await instruct('a', [{ kind: 'removeRule', ruleId: rules[0]?._id }])
  expect(await keysWith('segmentTargeted:beta,filterEnv:production')).toEqual([])
})
