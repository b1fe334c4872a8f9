import { createMemoryStorage } from '@halyard/storage-memory'
import type { Statement } from '../../../entries/policy.ts'
import type { AccountStorage } from '../../../entries/storage.ts'
import { type As, createEngine, type EngineResponse } from '../../../index.ts'
import { engineRequest, start } from '../../account/test/calls.ts'

export { failureOf, start } from '../../account/test/calls.ts'

const projectKey = 'web'

/** Keys of the view that most of these tests use. */
export const checkout = { projectKey, viewKey: 'checkout' }

export const flagsOf = (view = checkout) => ({ ...view, resourceType: 'flags' })
export const segmentsOf = (view = checkout) => ({ ...view, resourceType: 'segments' })

export const allow = (actions: string[], ...resources: string[]): Statement => ({ effect: 'allow', actions, resources })

/** Returns a caller who may view projects and perform these actions on views. */
export const editor = (...actions: string[]): As => ({
  policy: [allow(['viewProject'], 'proj/*'), ...(actions.length > 0 ? [allow(actions, 'proj/*:view/*')] : [])],
})

/**
 * Creates an account in memory with the project `web` and its view `checkout`, and functions that create and link
 * resources.
 */
export async function viewAccount() {
  let now = start
  let ids = 0
  const storage = createMemoryStorage()
  const engine = createEngine({ storage, clock: () => now, newId: () => `id-${++ids}`, account: 'acme' })
  const owner = await engine.bootstrap()
  const as: As = owner?.token as string
  const { api } = engine
  const project = await api.createProject({ body: { key: projectKey, name: 'Web' } }, { as })
  const view = await api.createView({ projectKey, body: { key: 'checkout', name: 'Checkout' } }, { as })
  const environment = await api.getEnvironment({ projectKey, environmentKey: 'production' }, { as })
  const test = await api.getEnvironment({ projectKey, environmentKey: 'test' }, { as })

  return {
    engine,
    api,
    as,
    project,
    view,
    /** Ids of the environments. */
    production: environment._id,
    test: test._id,
    memberId: view.maintainer?.id as string,
    storage: storage.account('acme'),
    pass: (ms: number) => (now += ms),
    newView: (key: string, overrides: object = {}, caller: As = as) =>
      api.createView({ projectKey, body: { key, name: key, ...overrides } }, { as: caller }),
    newFlag: (key: string, overrides: object = {}) =>
      api.createFlag({ projectKey, body: { key, name: key, ...overrides } }, { as }),
    newSegment: (key: string, overrides: object = {}, environmentKey = 'production') =>
      api.createSegment({ projectKey, environmentKey, body: { key, name: key, ...overrides } }, { as }),
    link: (body: object, caller: As = as, keys = flagsOf()) =>
      api.linkResource({ ...keys, body: body as never }, { as: caller }),
    unlink: (body: object, caller: As = as, keys = flagsOf()) =>
      api.unlinkResource({ ...keys, body: body as never }, { as: caller }),
    linked: (query: object = {}, keys = flagsOf(), caller: As = as) =>
      api.listLinkedResources({ ...keys, ...query }, { as: caller }),
    /** Returns the keys of the linked resources. */
    async keys(query: object = {}, keys = flagsOf()) {
      const { items } = await api.listLinkedResources({ ...keys, limit: 100, ...query }, { as })
      return items.map(({ resourceKey }) => resourceKey)
    },
    /** Returns the keys of the views to which a resource is linked. */
    async viewsOf(resourceType: string, resourceKey: string, query: object = {}, caller: As = as) {
      const { items } = await api.listLinkedViews({ projectKey, resourceType, resourceKey, ...query }, { as: caller })
      return items.map(({ key }) => key)
    },
    /** Returns the number of documents in each collection of links. */
    linksStored: () => countLinks(storage.account('acme')),
    send: (method: string, path: string, { body, ...headers }: Record<string, unknown> = {}): Promise<EngineResponse> =>
      engine.handle(
        engineRequest(method, path, body, { authorization: owner?.token, 'svc-api-version': 'beta', ...headers }),
      ),
  }
}

async function countLinks(account: AccountStorage) {
  const collections = ['view-flag', 'view-segment', 'flag-view', 'segment-view']
  const pages = collections.map((collection) =>
    account.list({ collection, scope: '', deep: true, limit: 0, count: true, select: 'fields' }),
  )
  return (await Promise.all(pages)).map(({ total }) => total)
}
