import { describe, expect, it } from 'vitest'
import { failureOf } from '../../account/test/calls.ts'
import { ann, bob, both, device, environment, web } from '../test/seen-contexts.ts'

const annKeys = { ...environment, userKey: 'ann' }
const notFound = { code: 'not_found' }

describe('the deletion of a user', () => {
  it('deletes all stored data of the user, and nothing else', async () => {
    const { api, find, instances, see } = await web()
    await see(ann, both, bob, device)
    await api.deleteUser(annKeys)
    expect((await find()).toSorted()).toEqual(['device:p1', 'user:bob'])
    const contexts = (await instances()).map(({ context }) => `${context.kind}:${context.key}`)
    expect(contexts.toSorted()).toEqual(['device:p1', 'user:bob'])
    expect(await failureOf(api.getUser(annKeys))).toMatchObject(notFound)
    expect((await api.getUsers(environment)).items.map(({ user }) => user.key)).toEqual(['bob'])
  })

  it('is refused with 404 without a user, also when a context of another kind has the key', async () => {
    const { api, see } = await web()
    await see({ ...device, key: 'ann' }, bob)
    expect(await failureOf(api.deleteUser(annKeys))).toMatchObject(notFound)
    await see(ann)
    await api.deleteUser(annKeys)
    expect(await failureOf(api.deleteUser(annKeys))).toMatchObject(notFound)
    expect(await failureOf(api.deleteUser({ ...annKeys, environmentKey: 'other' }))).toMatchObject(notFound)
  })

  it('leaves the user in other environments, and the targets of flags', async () => {
    const { api, see } = await web()
    await see(ann)
    const test = { ...environment, environmentKey: 'test' }
    await api.createContextInstances({ ...test, body: { contexts: [ann] as never } })
    await api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } })
    const flag = { ...annKeys, flagKey: 'checkout' }
    await api.putFlagSetting({ ...flag, body: { setting: true } })
    await api.deleteUser(annKeys)
    expect((await api.getUser({ ...test, userKey: 'ann' })).user.key).toBe('ann')
    expect((await api.getUserFlagSetting(flag)).setting).toBe(true)
  })

  it('does not prevent the next report from storing the user again', async () => {
    const { api, find, see } = await web()
    await see(ann)
    await api.deleteUser(annKeys)
    await see(ann)
    expect(await find()).toEqual(['user:ann'])
  })

  it('needs its own right, and deletes nothing in a dry run', async () => {
    const { api, engine, find, see } = await web()
    await see(ann)
    const caller = (userKey: string) => {
      const resources = [`proj/web:env/production:user/${userKey}`]
      return { policy: [{ effect: 'allow', resources, actions: ['deleteUser'] }] } as never
    }
    const other = caller('bob')
    expect(await failureOf(engine.api.deleteUser(annKeys, { as: other }))).toMatchObject({ code: 'forbidden' })
    await api.deleteUser({ ...annKeys, dryRun: true })
    expect(await find()).toEqual(['user:ann'])
    await engine.api.deleteUser(annKeys, { as: caller('ann') })
    expect(await find()).toEqual([])
  })

  it('is in the change log without the key of the user', async () => {
    const { api, see } = await web()
    await see(ann)
    await api.deleteUser(annKeys)
    const [entry] = (await api.listChangeLog({ limit: 1 })).items
    expect(entry).toMatchObject({ kind: 'environment', accesses: [{ action: 'deleteUser' }] })
    expect(entry?.delta[0]).toMatchObject({ members: { set: 'contexts', added: [], removed: [expect.any(String)] } })
    expect(JSON.stringify(entry)).not.toMatch(/\bann\b/)
  })
})
