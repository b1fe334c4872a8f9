import { describe, expect, it } from 'vitest'
import { allow, editor, failureOf, start, validationErrorOf } from '../flags/test/flag-project.ts'
import { beta } from '../release-pipelines/test/release-project.ts'
import { shopProject } from './test/shop-project.ts'

const json = 'application/json'

const flagResource = 'proj/web:env/*:flag/checkout'

describe('a release in a response', () => {
  it('has all properties before its first phase is started', async () => {
    const { release, getRelease, getPipeline, get } = await shopProject()
    const response = await release('checkout', 'usual')
    const { phases } = await getPipeline('usual')
    const { variations } = await get('checkout')
    const phase = (index: number, name: string, status: string) => ({
      _id: phases[index]?.id,
      _name: name,
      complete: false,
      _creationDate: String(start),
      _audiences: [{ _id: expect.any(String), ...phases[index]?.audiences[0], _ruleIds: [], status: 'notStarted' }],
      status,
      started: false,
      configuration: {},
    })
    expect(response).toEqual({
      _links: {
        self: { href: '/api/v2/flags/web/checkout/release', type: json },
        parent: { href: '/api/v2/flags/web/checkout', type: json },
      },
      name: 'Usual',
      releasePipelineKey: 'usual',
      releasePipelineDescription: 'First testers',
      releaseVariationId: variations.find(({ value }) => value === true)?._id,
      phases: [phase(0, 'Testing', 'ReadyToStart'), phase(1, 'Everybody', 'NotStarted')],
      _version: 1,
    })
    expect(await getRelease('checkout')).toEqual(response)
  })

  it('has the current names of its pipeline and phases', async () => {
    const { release, getRelease, patchPipeline } = await shopProject()
    await release('checkout', 'usual')
    await patchPipeline('usual', [
      { op: 'replace', path: '/name', value: 'Renamed' },
      { op: 'replace', path: '/description', value: 'Anew' },
      { op: 'replace', path: '/phases/1/name', value: 'All' },
    ])
    const { name, releasePipelineDescription, phases } = await getRelease('checkout')
    expect([name, releasePipelineDescription, phases[1]?._name]).toEqual(['Renamed', 'Anew', 'All'])
  })

  it('is created with 200 and its version as ETag, requires the beta header, and respects If-Match', async () => {
    const { send } = await shopProject()
    const path = '/api/v2/projects/web/flags/checkout/release'
    const body = { releasePipelineKey: 'usual' }
    expect((await send('PUT', path, { body })).status).toBe(403)
    expect(await send('PUT', path, { body, headers: beta })).toMatchObject({ status: 200, headers: { etag: '"1"' } })
    const stale = { ...beta, 'if-match': '"7"' }
    expect((await send('PUT', path, { body: { releasePipelineKey: 'other' }, headers: stale })).status).toBe(409)
    expect((await send('DELETE', '/api/v2/flags/web/checkout/release', { headers: stale })).status).toBe(409)
    expect(await send('DELETE', '/api/v2/flags/web/checkout/release', { headers: beta })).toMatchObject({ status: 204 })
  })
})

it('listFlags finds the flags with a release in a pipeline, active or completed', async () => {
  const { release, advance, create, api, as } = await shopProject()
  for (const key of ['done', 'elsewhere', 'unreleased']) await create(key)
  await release('checkout', 'usual')
  await release('elsewhere', 'other')
  await release('done', 'usual')
  for (const phase of [0, 1]) {
    await advance('done', phase, 'Started')
    await advance('done', phase, 'Complete')
  }
  const keysWith = async (filter: string) =>
    (await api.listFlags({ projectKey: 'web', filter, sort: 'key' }, { as })).items.map(({ key }) => key)
  expect(await keysWith('releasePipeline:usual')).toEqual(['checkout', 'done'])
  expect(await keysWith('releasePipeline:other')).toEqual(['elsewhere'])
  expect(await keysWith('releasePipeline:usual+other,query:e')).toEqual(['checkout', 'done', 'elsewhere'])
  expect(await keysWith('releasePipeline:none')).toEqual([])
})

describe('deleting', () => {
  it('a release requires its own action and does not change the flag', async () => {
    const { release, advance, get, api, ofFlag } = await shopProject()
    await release('checkout', 'usual')
    await advance('checkout', 0, 'Started')
    const before = await get('checkout')
    const remove = (action: string) => api.deleteRelease(ofFlag('checkout'), { as: editor([action], flagResource) })
    expect(await failureOf(remove('addReleasePipeline'))).toMatchObject({ code: 'forbidden' })
    await remove('removeReleasePipeline')
    expect(await get('checkout')).toEqual(before)
  })

  it('a flag deletes its release', async () => {
    const { release, create, getRelease, deletePipeline, api, keysOf, as } = await shopProject()
    await release('checkout', 'other')
    await api.deleteFlag(keysOf('checkout'), { as })
    await create('checkout')
    expect(await failureOf(getRelease('checkout'))).toMatchObject({ code: 'not_found' })
    await deletePipeline('other')
  })

  it('a flag while it is released leaves no release', async () => {
    const { release, account, api, keysOf, as } = await shopProject()
    await Promise.allSettled([release('checkout', 'other'), api.deleteFlag(keysOf('checkout'), { as })])
    const isDeleted = !(await account.get({ collection: 'flag', scope: 'proj/web:env/*', key: 'checkout' }))
    const remaining = await account.get({ collection: 'release', scope: 'proj/web:env/*', key: 'checkout' })
    expect(remaining === undefined || !isDeleted).toBe(true)
  })
})

describe('listReleases', () => {
  it('returns the progress of each release, and the number in each phase', async () => {
    const { release, advance, create, api, at: index, as, getPipeline, pass } = await shopProject()
    for (const key of ['a', 'b', 'c']) {
      await create(key)
      pass(10)
      await release(key, 'usual')
    }
    await release('checkout', 'other')
    await advance('b', 0, 'Started')
    await advance('b', 0, 'Complete')
    for (const phase of [0, 1]) for (const status of ['Started', 'Complete']) await advance('c', phase, status)
    const list = (query: object = {}) => api.listReleases({ ...index('usual'), ...query }, { as })
    const { phases } = await getPipeline('usual')
    const links = (key: string) => ({
      self: { href: `/api/v2/flags/web/${key}/release`, type: json },
      parent: { href: `/api/v2/flags/web/${key}`, type: json },
    })
    const { _links, ...response } = await list()
    expect(response).toEqual({
      activeCount: 2,
      completedCount: 1,
      totalCount: 3,
      phases: [
        { _id: phases[0]?.id, _name: 'Testing', releaseCount: 1 },
        { _id: phases[1]?.id, _name: 'Everybody', releaseCount: 1 },
      ],
      items: [
        { flagKey: 'c', createdAt: String(start + 30), completedAt: String(start + 30), _links: links('c') },
        {
          flagKey: 'b',
          createdAt: String(start + 20),
          activePhaseId: phases[1]?.id,
          activePhaseStatus: 'ReadyToStart',
          _links: links('b'),
        },
        {
          flagKey: 'a',
          createdAt: String(start + 10),
          activePhaseId: phases[0]?.id,
          activePhaseStatus: 'ReadyToStart',
          _links: links('a'),
        },
      ],
    })
    const keys = async (query: object) => (await list(query)).items.map(({ flagKey }) => flagKey)
    expect(await keys({ filter: 'status:completed' })).toEqual(['c'])
    expect(await keys({ filter: 'status:active' })).toEqual(['b', 'a'])
    expect(await keys({ filter: `activePhaseId:${phases[1]?.id}` })).toEqual(['b'])
    expect(await keys({ limit: 1, offset: 1 })).toEqual(['b'])
    expect(await validationErrorOf(list({ filter: 'status:late' }))).toEqual({
      attribute: 'filter',
      reason: 'column 8: must be one of active, completed',
    })
  })

  it('requires viewProject', async () => {
    const { api, at: index, ofFlag, release } = await shopProject()
    await release('checkout', 'usual')
    const otherProjectViewer = { as: { policy: [allow(['viewProject'], ['proj/other'])] } }
    expect(await failureOf(api.listReleases(index('usual'), otherProjectViewer))).toMatchObject({ code: 'forbidden' })
    expect(await failureOf(api.getRelease(ofFlag('checkout'), otherProjectViewer))).toMatchObject({ code: 'forbidden' })
  })
})
