import { describe, expect, it } from 'vitest'
import { adding, day, expiring } from '../test/expiring-account.ts'
import { editor, place, start } from '../test/segment-account.ts'

describe('a target whose date has come', () => {
  it('is gone for whoever looks, from that very millisecond', async () => {
    const { api, as, follow, get, pass, dates, stored } = await expiring()
    await follow([adding(), adding({ contextKind: 'org', contextKey: 'acme' })])
    await follow([adding({ targetType: 'excluded', contextKey: 'eve', value: start + 2 * day })])
    pass(day - 1)
    expect(await get('beta')).toMatchObject({ included: ['ada', 'bob'] })
    pass(1)
    expect(await get('beta')).toMatchObject({ included: ['bob'], includedContexts: [], excluded: ['eve'] })
    expect((await api.listSegments(place, { as })).items[0]).toMatchObject({ included: ['bob'] })
    expect((await dates()).items.map(({ contextKey }) => contextKey)).toEqual(['eve'])
    pass(day)
    expect(await get('beta')).toMatchObject({ included: ['bob'], excluded: [] })
    expect((await stored()).included).toEqual(['ada', 'bob'])
  })

  it('goes from storage with the next change, which needs no right to it', async () => {
    const { follow, pass, instruct, stored } = await expiring()
    await follow([adding()])
    pass(day)
    const rename = [{ kind: 'updateName', value: 'Renamed' }]
    expect(await instruct('beta', rename, editor('updateName'))).toMatchObject({ included: ['bob'] })
    expect(await stored()).toMatchObject({ included: ['bob'], expiringTargets: [] })
  })

  it('is no target for a patch any more', async () => {
    const { follow, pass, patch } = await expiring()
    await follow([adding()])
    pass(day)
    const segment = await patch('beta', [
      { op: 'test', path: '/included/0', value: 'bob' },
      { op: 'add', path: '/included/-', value: 'ada' },
    ])
    expect(segment.included).toEqual(['bob', 'ada'])
    pass(10 * day)
  })

  it('can be one again, without a date', async () => {
    const { follow, pass, instruct, dates, get } = await expiring()
    await follow([adding()])
    pass(day)
    await instruct('beta', [{ kind: 'addIncludedUsers', values: ['ada'] }])
    pass(day)
    expect((await get('beta')).included).toEqual(['bob', 'ada'])
    expect((await dates()).items).toEqual([])
  })

  it('changes what tells one answer from the next', async () => {
    const { follow, pass, send } = await expiring()
    await follow([adding()])
    for (const path of [
      'web/production/beta',
      'web/beta/expiring-targets/production',
      'web/beta/expiring-user-targets/production',
    ]) {
      const fetch = (etag?: string) => send('GET', `/api/v2/segments/${path}`, { 'if-none-match': etag })
      const before = await fetch()
      expect((await fetch(before.headers.etag)).status).toBe(304)
      pass(day)
      const after = await fetch(before.headers.etag)
      expect(after.status).toBe(200)
      expect((await fetch(after.headers.etag)).status).toBe(304)
      pass(-day)
    }
  })

  it('is part of what a patch relies on', async () => {
    const { follow, pass, send } = await expiring()
    await follow([adding()])
    const path = '/api/v2/segments/web/production/beta'
    const { etag } = (await send('GET', path)).headers
    pass(day)
    const body = [{ op: 'replace', path: '/name', value: 'x' }]
    const patching = { 'if-match': etag, body }
    expect((await send('PATCH', path, patching)).status).toBe(409)
  })
})

describe('a target that is taken out', () => {
  it('has no date any more, and needs no right to dates for it', async () => {
    const { follow, instruct, dates, stored } = await expiring()
    await follow([adding()])
    await instruct('beta', [{ kind: 'removeIncludedUsers', values: ['ada'] }], editor('updateIncluded'))
    expect((await dates()).items).toEqual([])
    expect((await stored()).expiringTargets).toEqual([])
    await instruct('beta', [{ kind: 'addIncludedUsers', values: ['ada'] }])
    expect((await dates()).items).toEqual([])
  })
})
