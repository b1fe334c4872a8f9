import { describe, expect, it } from 'vitest'
import type { As } from '../../index.ts'
import { allow, failureOf } from '../flags/test/flag-project.ts'
import { beta, flagLinkProject, path, replace } from './test/flag-link-project.ts'

describe('listFlagLinks', () => {
  it('returns the links of one flag in order of creation, page by page', async () => {
    const { api, as, keys, link, pass, titles } = await flagLinkProject()
    for (const title of ['c', 'a', 'b']) {
      await link({ title })
      pass(1)
    }
    expect(await titles()).toEqual(['c', 'a', 'b'])
    const page = await api.listFlagLinks({ ...keys, limit: 1, offset: 1 }, { as })
    expect(page).toMatchObject({ totalCount: 3, items: [{ title: 'a' }] })
    expect(Object.keys(page._links).sort()).toEqual(['first', 'last', 'next', 'prev', 'self'])
  })

  it('returns the same link as the creation', async () => {
    const { link, list } = await flagLinkProject()
    const created = await link({ title: 'a' })
    expect(await list()).toEqual([created])
  })
})

describe('deleteFlagLink', () => {
  it('returns 204 and keeps the other links', async () => {
    const { link, send, titles } = await flagLinkProject()
    await link({ title: 'a' })
    const { _id } = await link({ title: 'b' })
    const response = await send('DELETE', `${path}/${_id}`, { headers: beta })
    expect([response.status, response.body]).toEqual([204, undefined])
    expect(await titles()).toEqual(['a'])
  })

  it.each(['deleteFlag', 'an instruction'])('deletes the links with the flag, through %s', async (operation) => {
    const { api, as, keys, create, link, list } = await flagLinkProject()
    await link({ key: 'ticket' })
    if (operation === 'deleteFlag') await api.deleteFlag(keys, { as })
    else await api.patchFlag({ ...keys, body: { instructions: [{ kind: 'deleteFlag' }] } }, { as })
    await create('checkout')
    expect(await list()).toEqual([])
    await link({ key: 'ticket' })
  })
})

describe('access to flag links', () => {
  const view = allow(['viewProject'], ['proj/*'])
  const callerWith = (action: string, resource = 'proj/web:env/*:flag/checkout'): As => ({
    policy: [view, allow([action], [resource])],
  })

  it('requires the action of each operation on the flag', async () => {
    const { link, change, remove } = await flagLinkProject()
    const { _id } = await link()
    const calls: Readonly<Record<string, (caller: As) => Promise<unknown>>> = {
      createFlagLink: (caller) => link({}, caller),
      updateFlagLink: (caller) => change(_id, replace('/title', 'x'), caller),
      deleteFlagLink: (caller) => remove(_id, caller),
    }
    for (const [action, call] of Object.entries(calls)) {
      for (const other of Object.keys(calls).filter((name) => name !== action)) {
        expect((await failureOf(call(callerWith(other)))).code).toBe('forbidden')
      }
      expect((await failureOf(call(callerWith(action, 'proj/web:env/*:flag/other')))).code).toBe('forbidden')
      expect((await failureOf(call(callerWith(action, 'proj/web:env/*:flag/*;other')))).code).toBe('forbidden')
      await call(callerWith(action, 'proj/web:env/*:flag/*;shop'))
    }
  })

  it('requires the right to view the project for an update', async () => {
    const { link, change } = await flagLinkProject()
    const { _id } = await link()
    const callerWithoutView: As = { policy: [allow(['updateFlagLink'], ['proj/web:env/*:flag/*'])] }
    expect((await failureOf(change(_id, [], callerWithoutView))).code).toBe('forbidden')
  })

  it('requires the right to view the project for the list', async () => {
    const { api, keys } = await flagLinkProject()
    const as: As = { policy: [allow(['viewProject'], ['proj/other'])] }
    expect((await failureOf(api.listFlagLinks(keys, { as }))).code).toBe('forbidden')
  })
})
