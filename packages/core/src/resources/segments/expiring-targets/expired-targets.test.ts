import { describe, expect, it } from 'vitest'
import { addInstruction, day, expiringAccount } from '../test/expiring-account.ts'
import { editor, environmentKeys, start } from '../test/segment-account.ts'

describe('an expired target', () => {
  it('is omitted from every read, from the millisecond of its expiry on', async () => {
    const { api, as, patchDates, get, pass, dates, stored } = await expiringAccount()
    await patchDates([addInstruction(), addInstruction({ contextKind: 'org', contextKey: 'acme' })])
    await patchDates([addInstruction({ targetType: 'excluded', contextKey: 'eve', value: start + 2 * day })])
    pass(day - 1)
    expect(await get('beta')).toMatchObject({ included: ['ada', 'bob'] })
    pass(1)
    expect(await get('beta')).toMatchObject({ included: ['bob'], includedContexts: [], excluded: ['eve'] })
    expect((await api.listSegments(environmentKeys, { as })).items[0]).toMatchObject({ included: ['bob'] })
    expect((await dates()).items.map(({ contextKey }) => contextKey)).toEqual(['eve'])
    pass(day)
    expect(await get('beta')).toMatchObject({ included: ['bob'], excluded: [] })
    expect((await stored()).included).toEqual(['ada', 'bob'])
  })

  it('is removed from storage by the next change, which needs no right to targets', async () => {
    const { patchDates, pass, instruct, stored } = await expiringAccount()
    await patchDates([addInstruction()])
    pass(day)
    const rename = [{ kind: 'updateName', value: 'Renamed' }]
    expect(await instruct('beta', rename, editor('updateName'))).toMatchObject({ included: ['bob'] })
    expect(await stored()).toMatchObject({ included: ['bob'], expiringTargets: [] })
  })

  it('is not a target in a patch', async () => {
    const { patchDates, pass, patch } = await expiringAccount()
    await patchDates([addInstruction()])
    pass(day)
    const segment = await patch('beta', [
      { op: 'test', path: '/included/0', value: 'bob' },
      { op: 'add', path: '/included/-', value: 'ada' },
    ])
    expect(segment.included).toEqual(['bob', 'ada'])
    pass(10 * day)
  })

  it('can be added again, without an expiry date', async () => {
    const { patchDates, pass, instruct, dates, get } = await expiringAccount()
    await patchDates([addInstruction()])
    pass(day)
    await instruct('beta', [{ kind: 'addIncludedUsers', values: ['ada'] }])
    pass(day)
    expect((await get('beta')).included).toEqual(['bob', 'ada'])
    expect((await dates()).items).toEqual([])
  })

  it('changes the ETag of the segment', async () => {
    const { patchDates, pass, send } = await expiringAccount()
    await patchDates([addInstruction()])
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

  it('makes an older If-Match fail', async () => {
    const { patchDates, pass, send } = await expiringAccount()
    await patchDates([addInstruction()])
    const path = '/api/v2/segments/web/production/beta'
    const { etag } = (await send('GET', path)).headers
    pass(day)
    const body = [{ op: 'replace', path: '/name', value: 'x' }]
    const request = { 'if-match': etag, body }
    expect((await send('PATCH', path, request)).status).toBe(409)
  })
})

describe('a target that is removed', () => {
  it('loses its expiry date, without the right to expiry dates', async () => {
    const { patchDates, instruct, dates, stored } = await expiringAccount()
    await patchDates([addInstruction()])
    await instruct('beta', [{ kind: 'removeIncludedUsers', values: ['ada'] }], editor('updateIncluded'))
    expect((await dates()).items).toEqual([])
    expect((await stored()).expiringTargets).toEqual([])
    await instruct('beta', [{ kind: 'addIncludedUsers', values: ['ada'] }])
    expect((await dates()).items).toEqual([])
  })
})
