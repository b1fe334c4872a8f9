import { describe, expect, it } from 'vitest'
import type { As } from '../../index.ts'
import { allow, failureOf } from '../flags/test/flag-project.ts'
import { beta, linking, path, replace } from './test/flag-link-project.ts'

describe('listFlagLinks', () => {
  it('returns the links of one flag in order of creation, page by page', async () => {
    const { api, as, keys, link, pass, titles } = await linking()
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
    const { link, list } = await linking()
    const made = await link({ title: 'a' })
    expect(await list()).toEqual([made])
  })
})

describe('deleteFlagLink', () => {
  it('returns 204 and keeps the other links', async () => {
    const { link, send, titles } = await linking()
    await link({ title: 'a' })
    const { _id } = await link({ title: 'b' })
    const answer = await send('DELETE', `${path}/${_id}`, { headers: beta })
    expect([answer.status, answer.body]).toEqual([204, undefined])
    expect(await titles()).toEqual(['a'])
  })

  it.each(['deleteFlag', 'an instruction'])('deletes the links with the flag, through %s', async (way) => {
    const { api, as, keys, create, link, list } = await linking()
    await link({ key: 'ticket' })
    if (way === 'deleteFlag') await api.deleteFlag(keys, { as })
    else await api.patchFlag({ ...keys, body: { instructions: [{ kind: 'deleteFlag' }] } }, { as })
    await create('checkout')
    expect(await list()).toEqual([])
    await link({ key: 'ticket' })
  })
})

describe('permissions', () => {
  const view = allow(['viewProject'], ['proj/*'])
  const may = (action: string, resource = 'proj/web:env/*:flag/checkout'): As => ({
    policy: [view, allow([action], [resource])],
  })

  it('requires the action of each operation on the flag', async () => {
    const { link, change, remove } = await linking()
    const { _id } = await link()
    const calls: Readonly<Record<string, (by: As) => Promise<unknown>>> = {
      createFlagLink: (by) => link({}, by),
      updateFlagLink: (by) => change(_id, replace('/title', 'x'), by),
      deleteFlagLink: (by) => remove(_id, by),
    }
    for (const [action, call] of Object.entries(calls)) {
      for (const other of Object.keys(calls).filter((one) => one !== action)) {
        expect((await failureOf(call(may(other)))).code).toBe('forbidden')
      }
      expect((await failureOf(call(may(action, 'proj/web:env/*:flag/other')))).code).toBe('forbidden')
      expect((await failureOf(call(may(action, 'proj/web:env/*:flag/*;other')))).code).toBe('forbidden')
      await call(may(action, 'proj/web:env/*:flag/*;shop'))
    }
  })

  it('requires the right to view the project for an update', async () => {
    const { link, change } = await linking()
    const { _id } = await link()
    const blind: As = { policy: [allow(['updateFlagLink'], ['proj/web:env/*:flag/*'])] }
    expect((await failureOf(change(_id, [], blind))).code).toBe('forbidden')
  })

  it('requires the right to view the project for the list', async () => {
    const { api, keys } = await linking()
    const as: As = { policy: [allow(['viewProject'], ['proj/other'])] }
    expect((await failureOf(api.listFlagLinks(keys, { as }))).code).toBe('forbidden')
  })
})
