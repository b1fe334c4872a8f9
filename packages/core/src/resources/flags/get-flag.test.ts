import { describe, expect, it } from 'vitest'
import { createEngine } from '../../index.ts'
import { allow, failureOf, flagProject, start } from './test/flag-project.ts'

describe('getFlag', () => {
  it('limits environments to the requested ones', async () => {
    const { create, get } = await flagProject()
    await create('f')
    const etags = async (query: object) => Object.keys((await get('f', query)).environments ?? {})
    expect(await etags({})).toEqual(['production', 'test'])
    expect(await etags({ env: 'test' })).toEqual(['test'])
    expect(await etags({ env: 'test,production' })).toEqual(['production', 'test'])
    expect(await etags({ env: 'none' })).toEqual([])
  })

  it('returns environments that were created after the flag, with the default variations of the flag', async () => {
    const { api, as, create, get } = await flagProject()
    await create('f', { variations: [{ value: 'a' }, { value: 'b' }], defaults: { onVariation: 1, offVariation: 0 } })
    const body = { key: 'eu', name: 'EU', color: '000000', defaultTrackEvents: true }
    await api.createEnvironment({ projectKey: 'web', body }, { as })
    const config = (await get('f')).environments?.eu
    expect(config).toMatchObject({ on: false, fallthrough: { variation: 1 }, offVariation: 0, trackEvents: true })
  })

  it('has an ETag that changes with the flag, its configurations and the environments', async () => {
    const { api, as, create, instruct, patch, send } = await flagProject()
    await create('f')
    const etag = async () => (await send('GET', '/api/v2/flags/web/f')).headers.etag
    const etags = [await etag()]
    await instruct('f', [{ kind: 'turnFlagOn' }])
    etags.push(await etag())
    await patch('f', [{ op: 'replace', path: '/name', value: 'Other' }])
    etags.push(await etag())
    await api.createEnvironment({ projectKey: 'web', body: { key: 'eu', name: 'EU', color: '000000' } }, { as })
    etags.push(await etag())
    const rename = [{ op: 'replace', path: '/name', value: 'Europe' }]
    await api.patchEnvironment({ projectKey: 'web', environmentKey: 'eu', body: rename }, { as })
    etags.push(await etag())
    expect(new Set(etags).size).toBe(etags.length)
    const again = await send('GET', '/api/v2/flags/web/f', { headers: { 'if-none-match': etags.at(-1) as string } })
    expect(again.status).toBe(304)
    await api.deleteEnvironment({ projectKey: 'web', environmentKey: 'eu' }, { as })
    expect(etags.slice(3)).not.toContain(await etag())
  })

  it('returns times as numbers when the engine is configured so', async () => {
    const { storage, create, as, pass, instruct } = await flagProject()
    await create('f')
    pass(1_000)
    await instruct('f', [{ kind: 'archiveFlag' }, { kind: 'deprecateFlag' }, { kind: 'turnFlagOn' }])
    const { api } = createEngine({ storage, wire: { timestamps: 'number' } })
    const flag = await api.getFlag({ projectKey: 'web', flagKey: 'f' }, { as })
    expect(flag).toMatchObject({ creationDate: start, archivedDate: start + 1_000, deprecatedDate: start + 1_000 })
    expect(flag.environments?.production?.lastModified).toBe(start + 1_000)
    expect(flag.environments?.test?.lastModified).toBe(start)
  })

  it('returns 404 for an unknown flag, and 403 without viewProject', async () => {
    const { api, get } = await flagProject()
    expect(await failureOf(get('none'))).toMatchObject({ code: 'not_found' })
    const as = { policy: [allow(['updateOn'], ['proj/*:env/*:flag/*'])] }
    const call = api.getFlag({ projectKey: 'web', flagKey: 'f' }, { as })
    expect(await failureOf(call)).toMatchObject({ code: 'forbidden' })
  })
})
