import { describe, expect, it } from 'vitest'
import { allow, editor, failureOf, faultOf, start } from '../flags/test/flag-project.ts'
import { audience, beta, releaseProject } from '../release-pipelines/test/release-project.ts'

const json = 'application/json'
const flagResource = 'proj/web:env/*:flag/checkout'

/** The flag `checkout`, and the pipelines `usual` and `other`. */
async function shop() {
  const project = await releaseProject()
  await project.create('checkout')
  await project.addPipeline('usual', { name: 'Usual', description: 'First testers' })
  await project.addPipeline('other')
  return project
}

describe('a release in an answer', () => {
  it('has every field, before its first phase is started', async () => {
    const { release, getRelease, getPipeline, get } = await shop()
    const answer = await release('checkout', 'usual')
    const { phases } = await getPipeline('usual')
    const { variations } = await get('checkout')
    const phase = (at: number, name: string, status: string) => ({
      _id: phases[at]?.id,
      _name: name,
      complete: false,
      _creationDate: String(start),
      _audiences: [{ _id: expect.any(String), ...phases[at]?.audiences[0], _ruleIds: [] }],
      status,
      started: false,
      configuration: {},
    })
    expect(answer).toEqual({
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
    expect(await getRelease('checkout')).toEqual(answer)
  })

  it('has the names that pipeline and phases have now', async () => {
    const { release, getRelease, patchPipeline } = await shop()
    await release('checkout', 'usual')
    await patchPipeline('usual', [
      { op: 'replace', path: '/name', value: 'Renamed' },
      { op: 'replace', path: '/description', value: 'Anew' },
      { op: 'replace', path: '/phases/1/name', value: 'All' },
    ])
    const { name, releasePipelineDescription, phases } = await getRelease('checkout')
    expect([name, releasePipelineDescription, phases[1]?._name]).toEqual(['Renamed', 'Anew', 'All'])
  })

  it('is 200 over a transport with its version as ETag, wants the beta header, and obeys If-Match', async () => {
    const { send } = await shop()
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

describe('putRelease', () => {
  it('changes nothing about the flag', async () => {
    const { release, get } = await shop()
    const before = await get('checkout')
    await release('checkout', 'usual')
    expect(await get('checkout')).toEqual(before)
  })

  it('serves the variation that it is told to', async () => {
    const { release, get, advance } = await shop()
    const off = (await get('checkout')).variations.find(({ value }) => value === false)?._id as string
    expect((await release('checkout', 'usual', { releaseVariationId: off })).releaseVariationId).toBe(off)
    await advance('checkout', 0, 'Started')
    expect((await get('checkout')).environments?.test).toMatchObject({ on: true, fallthrough: { variation: 1 } })
  })

  it('leaves a release that is under way as it is', async () => {
    const { release, advance, getRelease } = await shop()
    await release('checkout', 'usual')
    await advance('checkout', 0, 'Started')
    const before = await getRelease('checkout')
    expect(await release('checkout', 'usual')).toEqual(before)
  })

  it('puts another pipeline in the place of one, and begins anew in one that is complete', async () => {
    const { release, advance } = await shop()
    await release('checkout', 'usual')
    await advance('checkout', 0, 'Started')
    const replaced = await release('checkout', 'other')
    expect(replaced).toMatchObject({ releasePipelineKey: 'other', _version: 3 })
    expect(replaced.phases.map(({ status }) => status)).toEqual(['ReadyToStart', 'NotStarted'])
    for (const phase of [0, 1]) for (const status of ['Started', 'Complete']) await advance('checkout', phase, status)
    const again = await release('checkout', 'other')
    expect(again.phases.map(({ status, started }) => [status, started])).toEqual([
      ['ReadyToStart', false],
      ['NotStarted', false],
    ])
  })

  it('needs one right to add a pipeline, another to replace it', async () => {
    const { release } = await shop()
    const [adder, replacer] = ['addReleasePipeline', 'replaceReleasePipeline'].map((one) => editor([one], flagResource))
    expect(await failureOf(release('checkout', 'usual', {}, replacer))).toMatchObject({ code: 'forbidden' })
    await release('checkout', 'usual', {}, adder)
    expect(await failureOf(release('checkout', 'other', {}, adder))).toMatchObject({ code: 'forbidden' })
    expect((await release('checkout', 'other', {}, replacer)).releasePipelineKey).toBe('other')
  })

  it('asks for the right by the tags of the flag', async () => {
    const { create, release, addPipeline } = await releaseProject()
    await addPipeline('usual')
    await create('checkout', { tags: ['pay'] })
    await create('banner')
    const payer = editor(['addReleasePipeline'], 'proj/*:env/*:flag/*;pay')
    expect(await failureOf(release('banner', 'usual', {}, payer))).toMatchObject({ code: 'forbidden' })
    expect((await release('checkout', 'usual', {}, payer))._version).toBe(1)
  })

  it('takes boolean flags alone, and names all that is wrong', async () => {
    const { create, release, instruct } = await shop()
    await create('price', { variations: [{ value: 1 }, { value: 2 }] })
    expect((await failureOf(release('price', 'gone'))).errors).toEqual([
      { attribute: 'flagKey', reason: 'must be the key of a boolean flag' },
      { attribute: 'releaseVariationId', reason: 'must be the _id of a variation of the flag' },
      { attribute: 'releasePipelineKey', reason: 'must be the key of a release pipeline of the project' },
    ])
    await instruct('checkout', [{ kind: 'archiveFlag' }])
    expect(await faultOf(release('checkout', 'usual'))).toEqual({
      attribute: 'flagKey',
      reason: 'must not be the key of an archived flag',
    })
  })

  it('is 404 for a flag that is not there, and for one without a release', async () => {
    const { release, getRelease, api, ofFlag, as } = await shop()
    expect(await failureOf(release('gone', 'usual'))).toMatchObject({ code: 'not_found' })
    expect(await failureOf(getRelease('checkout'))).toMatchObject({ code: 'not_found' })
    expect(await failureOf(api.deleteRelease(ofFlag('checkout'), { as }))).toMatchObject({ code: 'not_found' })
  })

  it('is one of two that come at once', async () => {
    const { release } = await shop()
    const both = await Promise.allSettled([release('checkout', 'usual'), release('checkout', 'other')])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('is told in the change log with the action that it needed', async () => {
    const { release, api, as, pass } = await shop()
    pass(1)
    await release('checkout', 'usual')
    pass(1)
    await release('checkout', 'other')
    const { items } = await api.listChangeLog({ limit: 2 }, { as })
    expect(items.map(({ kind, name, accesses: [first] }) => [kind, name, first?.action])).toEqual([
      ['release', 'checkout', 'replaceReleasePipeline'],
      ['release', 'checkout', 'addReleasePipeline'],
    ])
  })
})

describe('a pipeline with releases', () => {
  it('keeps all but its names', async () => {
    const { release, putPipeline, patchPipeline, getPipeline } = await shop()
    await release('checkout', 'usual')
    const fault = { attribute: 'phases', reason: 'must keep all but their names: releases are in them' }
    expect(await faultOf(putPipeline('usual', { phases: [{ name: 'One', audiences: [] }] }))).toEqual(fault)
    expect(await faultOf(patchPipeline('usual', [{ op: 'remove', path: '/phases/1' }]))).toEqual(fault)
    const phases = [
      { name: 'Staff', audiences: [audience('test')] },
      { name: 'All', audiences: [audience('production')] },
    ]
    await putPipeline('usual', { name: 'Other', description: 'Other', tags: ['other'], phases })
    expect(await getPipeline('usual')).toMatchObject({
      name: 'Other',
      tags: ['other'],
      phases: [{ name: 'Staff' }, {}],
    })
  })

  it('is free again once they have left it', async () => {
    const { release, putPipeline, api, ofFlag, as } = await shop()
    await release('checkout', 'usual')
    await api.deleteRelease(ofFlag('checkout'), { as })
    expect((await putPipeline('usual', { phases: [{ name: 'One', audiences: [] }] })).phases).toHaveLength(1)
  })

  it('cannot be deleted while one is active', async () => {
    const { release, deletePipeline, advance } = await shop()
    await release('checkout', 'other')
    expect(await failureOf(deletePipeline('other'))).toEqual({
      code: 'optimistic_locking_error',
      message: 'checkout is being released in other',
    })
    for (const phase of [0, 1]) for (const status of ['Started', 'Complete']) await advance('checkout', phase, status)
    await deletePipeline('other')
  })

  it('leaves its name to the releases that it completed, also when there is another one with its key', async () => {
    const { release, deletePipeline, addPipeline, advance, getRelease, putPipeline } = await shop()
    await release('checkout', 'other')
    for (const phase of [0, 1]) for (const status of ['Started', 'Complete']) await advance('checkout', phase, status)
    await deletePipeline('other')
    expect(await getRelease('checkout')).toMatchObject({ name: 'other', releasePipelineKey: 'other' })
    await addPipeline('other', { name: 'Successor' })
    expect((await getRelease('checkout')).name).toBe('other')
    expect((await putPipeline('other', { phases: [{ name: 'One', audiences: [] }] })).phases).toHaveLength(1)
  })

  it('is neither deleted nor rebuilt while a release begins', async () => {
    for (const change of ['delete', 'rebuild']) {
      const { release, deletePipeline, putPipeline, getRelease, getPipeline } = await shop()
      const begun = release('checkout', 'other')
      const phases = [{ name: 'One', audiences: [] }]
      const changed = change === 'delete' ? deletePipeline('other') : putPipeline('other', { phases })
      const [one, two] = await Promise.allSettled([begun, changed])
      expect([one.status, two.status].sort()).toEqual(['fulfilled', 'rejected'])
      if (one.status === 'fulfilled') {
        const shown = (await getPipeline('other')).phases.map(({ id }) => id)
        expect((await getRelease('checkout')).phases.map(({ _id }) => _id)).toEqual(shown)
      }
    }
  })
})

describe('deleting', () => {
  it('a release needs its own right and leaves the flag as it is', async () => {
    const { release, advance, get, api, ofFlag } = await shop()
    await release('checkout', 'usual')
    await advance('checkout', 0, 'Started')
    const before = await get('checkout')
    const remove = (action: string) => api.deleteRelease(ofFlag('checkout'), { as: editor([action], flagResource) })
    expect(await failureOf(remove('addReleasePipeline'))).toMatchObject({ code: 'forbidden' })
    await remove('removeReleasePipeline')
    expect(await get('checkout')).toEqual(before)
  })

  it('a flag takes its release along', async () => {
    const { release, create, getRelease, deletePipeline, api, keysOf, as } = await shop()
    await release('checkout', 'other')
    await api.deleteFlag(keysOf('checkout'), { as })
    await create('checkout')
    expect(await failureOf(getRelease('checkout'))).toMatchObject({ code: 'not_found' })
    await deletePipeline('other')
  })

  it('a flag and releasing it at once do not leave a release behind', async () => {
    const { release, account, api, keysOf, as } = await shop()
    await Promise.allSettled([release('checkout', 'other'), api.deleteFlag(keysOf('checkout'), { as })])
    const gone = !(await account.get({ collection: 'flag', scope: 'proj/web:env/*', key: 'checkout' }))
    const left = await account.get({ collection: 'release', scope: 'proj/web:env/*', key: 'checkout' })
    expect(left === undefined || !gone).toBe(true)
  })
})

describe('listReleases', () => {
  it('tells how far each release has come, and how many are in each phase', async () => {
    const { release, advance, create, api, at, as, getPipeline, pass } = await shop()
    for (const key of ['a', 'b', 'c']) {
      await create(key)
      pass(10)
      await release(key, 'usual')
    }
    await release('checkout', 'other')
    await advance('b', 0, 'Started')
    await advance('b', 0, 'Complete')
    for (const phase of [0, 1]) for (const status of ['Started', 'Complete']) await advance('c', phase, status)
    const list = (query: object = {}) => api.listReleases({ ...at('usual'), ...query }, { as })
    const { phases } = await getPipeline('usual')
    const links = (key: string) => ({
      self: { href: `/api/v2/flags/web/${key}/release`, type: json },
      parent: { href: `/api/v2/flags/web/${key}`, type: json },
    })
    const { _links, ...answer } = await list()
    expect(answer).toEqual({
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
    expect(await faultOf(list({ filter: 'status:late' }))).toEqual({
      attribute: 'filter',
      reason: 'column 8: must be one of active, completed',
    })
  })

  it('is hidden from whoever may not view the project', async () => {
    const { api, at, ofFlag, release } = await shop()
    await release('checkout', 'usual')
    const stranger = { as: { policy: [allow(['viewProject'], ['proj/other'])] } }
    expect(await failureOf(api.listReleases(at('usual'), stranger))).toMatchObject({ code: 'forbidden' })
    expect(await failureOf(api.getRelease(ofFlag('checkout'), stranger))).toMatchObject({ code: 'forbidden' })
  })
})
