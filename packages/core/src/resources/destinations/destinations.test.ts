import { describe, expect, it } from 'vitest'
import type { As } from '../../index.ts'
import { failureOf, sender } from '../account/test/calls.ts'
import {
  callerWith,
  create,
  environmentKeys,
  get,
  json,
  patch,
  pubsub,
  replaceOperation,
  segment,
  webEngine,
} from './test/destination-engine.ts'

describe('a destination', () => {
  it('is returned with all its properties, and off by default', async () => {
    const engine = await webEngine()
    const { _access, ...created } = await create(engine, pubsub)
    expect(created).toEqual({
      _links: {
        parent: { href: '/api/v2/destinations', type: json },
        self: { href: `/api/v2/destinations/web/production/${created._id}`, type: json },
        environment: { href: '/api/v2/projects/web/environments/production', type: json },
      },
      _id: expect.any(String),
      ...pubsub,
      version: 1,
      on: false,
      createdAt: String(engine.now()),
    })
    expect(_access?.allowed.map(({ action }) => action)).toEqual([
      'createDestination',
      'updateName',
      'updateOn',
      'updateConfiguration',
      'generateTrustPolicy',
      'deleteDestination',
    ])
    expect(await get(engine, created._id)).toEqual({ ...created, _access })
    expect(await create(engine, { ...pubsub, on: true })).toMatchObject({ on: true })
  })

  it('is created with 201 and deleted with 204', async () => {
    const send = sender(await webEngine())
    const created = await send('POST', '/api/v2/destinations/web/production', pubsub)
    expect(created).toMatchObject({ status: 201, headers: { etag: '"1"' } })
    const path = `/api/v2/destinations/web/production/${created.body._id}`
    expect(await send('DELETE', path)).toMatchObject({ status: 204 })
    expect(await send('GET', path)).toMatchObject({ status: 404 })
  })

  it('is found only in its environment, and deleted with it', async () => {
    const engine = await webEngine()
    const { _id } = await create(engine, pubsub)
    const elsewhere = { projectKey: 'web', environmentKey: 'test', id: _id }
    expect((await failureOf(engine.api.getDestination(elsewhere, { as: engine.admin }))).code).toBe('not_found')
    await engine.api.deleteEnvironment(environmentKeys, { as: engine.admin })
    await engine.given.environment('web', 'production')
    expect((await failureOf(get(engine, _id))).code).toBe('not_found')
    expect((await engine.api.listDestinations({}, { as: engine.admin })).totalCount).toBe(0)
  })

  it('is rejected with 404 for an unknown environment', async () => {
    const engine = await webEngine()
    for (const otherKeys of [{ projectKey: 'other' }, { environmentKey: 'other' }]) {
      expect((await failureOf(create(engine, pubsub, engine.admin, otherKeys))).code).toBe('not_found')
    }
  })
})

describe('listDestinations', () => {
  it('returns the destinations of all environments in pages, oldest first', async () => {
    const engine = await webEngine()
    await engine.given.project('shop')
    const names = ['c', 'a', 'b']
    const keysList = [environmentKeys, { projectKey: 'shop' }, { environmentKey: 'test' }]
    for (const [index, name] of names.entries()) {
      engine.advance(1)
      await create(engine, { ...pubsub, name }, engine.admin, keysList[index])
    }
    const list = await engine.api.listDestinations({ limit: 2, offset: 1 }, { as: engine.admin })
    expect(list.items.map(({ name, _links }) => [name, _links.environment?.href])).toEqual([
      ['a', '/api/v2/projects/shop/environments/production'],
      ['b', '/api/v2/projects/web/environments/test'],
    ])
    expect(list.totalCount).toBe(3)
    expect(list._links.prev?.href).toBe('/api/v2/destinations?limit=2&offset=0')
  })

  it('omits and does not count destinations in projects that the caller may not view', async () => {
    const engine = await webEngine()
    await engine.given.project('hidden')
    await create(engine, pubsub)
    await create(engine, pubsub, engine.admin, { projectKey: 'hidden' })
    const as: As = { policy: [{ effect: 'allow', resources: ['proj/web'], actions: ['viewProject'] }] }
    const { items, totalCount } = await engine.api.listDestinations({}, { as })
    expect(totalCount).toBe(1)
    expect(items.map(({ _links }) => _links.environment?.href)).toEqual([
      '/api/v2/projects/web/environments/production',
    ])
    expect((await engine.api.listDestinations({}, { as: { role: 'no_access' } })).totalCount).toBe(0)
  })
})

describe('permissions for destinations', () => {
  const changes = [
    ['updateName', '/name', 'New'],
    ['updateOn', '/on', true],
    ['updateConfiguration', '/config/topic', 'new'],
  ] as const

  it.each(changes)('require %s to update %s', async (action, path, value) => {
    const engine = await webEngine()
    const { _id } = await create(engine, pubsub)
    const otherActions = changes.map(([changeAction]) => changeAction).filter((changeAction) => changeAction !== action)
    expect((await failureOf(patch(engine, _id, replaceOperation(path, value), callerWith(...otherActions)))).code).toBe(
      'forbidden',
    )
    expect((await patch(engine, _id, replaceOperation(path, value), callerWith(action))).version).toBe(2)
  })

  it('require updateConfiguration to update a secret', async () => {
    const engine = await webEngine()
    const { _id } = await create(engine, segment)
    const rotate = replaceOperation('/config/writeKey', 'write-key-2')
    expect((await failureOf(patch(engine, _id, rotate, callerWith('updateName')))).code).toBe('forbidden')
    expect((await patch(engine, _id, rotate, callerWith('updateConfiguration'))).version).toBe(2)
  })

  it('are checked for the environment of the destination', async () => {
    const engine = await webEngine()
    const as = callerWith('createDestination', 'deleteDestination')
    const { _id: id } = await create(engine, pubsub, as)
    expect((await failureOf(create(engine, pubsub, as, { environmentKey: 'test' }))).code).toBe('forbidden')
    expect((await failureOf(get(engine, id, { role: 'no_access' }))).code).toBe('forbidden')
    await engine.api.deleteDestination({ ...environmentKeys, id }, { as })
    expect((await failureOf(get(engine, id))).code).toBe('not_found')
  })
})
