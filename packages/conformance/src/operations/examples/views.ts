import type { ExampleMakers, Examples } from '../example.ts'
import { newProject } from './projects.ts'

async function newView(world: Examples): Promise<Record<'projectKey' | 'viewKey', string>> {
  const { projectKey } = await newProject(world)
  const viewKey = world.fresh()
  const body = { key: viewKey, name: 'Checkout', description: 'All that is paid with', tags: ['shop'] }
  await world.call('createView', { params: { projectKey }, body })
  return { projectKey, viewKey }
}

/** Creates a view with one linked flag, and returns the key of that flag too. */
async function newLinkedView(world: Examples): Promise<Record<'projectKey' | 'viewKey' | 'flagKey', string>> {
  const params = await newView(world)
  const flagKey = world.fresh()
  const { projectKey } = params
  await world.call('createFlag', { params: { projectKey }, body: { key: flagKey, name: 'Price', tags: ['shop'] } })
  await world.call('linkResource', { params: { ...params, resourceType: 'flags' }, body: { keys: [flagKey] } })
  return { ...params, flagKey }
}

export const viewExamples: ExampleMakers = {
  listViews: async (world) => {
    const { projectKey } = await newView(world)
    return { params: { projectKey }, query: { limit: '5', sort: '-createdAt', filter: 'query:check,tags:shop' } }
  },
  createView: async (world) => ({
    params: await newProject(world),
    body: { key: world.fresh(), name: 'Checkout', description: 'All that is paid with', tags: ['shop'] },
  }),
  getView: async (world) => ({ params: await newView(world) }),
  patchView: async (world) => ({
    params: await newView(world),
    body: { name: 'Checkout and cart', tags: ['shop', 'cart'], comment: 'grown' },
  }),
  deleteView: async (world) => {
    const { projectKey, viewKey } = await newLinkedView(world)
    return { params: { projectKey, viewKey } }
  },
  linkResource: async (world) => {
    const params = await newView(world)
    const { projectKey } = params
    const environmentKey = 'production'
    const segmentKey = world.fresh()
    const { _id } = await world.call<{ _id: string }>('getEnvironment', { params: { projectKey, environmentKey } })
    const segment = { key: segmentKey, name: 'Beta users', tags: ['beta'] }
    await world.call('createSegment', { params: { projectKey, environmentKey }, body: segment })
    return {
      params: { ...params, resourceType: 'segments' },
      body: {
        segmentIdentifiers: [{ environmentId: _id, segmentKey }],
        filter: 'tags anyOf ["beta"], (unbounded equals false | external exists true)',
        environmentId: _id,
        comment: 'launch',
      },
    }
  },
  unlinkResource: async (world) => {
    const { flagKey, ...params } = await newLinkedView(world)
    return { params: { ...params, resourceType: 'flags' }, body: { keys: [flagKey], filter: 'tags:shop' } }
  },
  listLinkedResources: async (world) => {
    const { projectKey, viewKey } = await newLinkedView(world)
    return {
      params: { projectKey, viewKey, resourceType: 'flags' },
      query: { limit: '5', sort: '-name', query: 'pri', filter: 'tags:shop', expand: 'resourceDetails' },
    }
  },
  listLinkedViews: async (world) => {
    const { projectKey, flagKey } = await newLinkedView(world)
    return { params: { projectKey, resourceType: 'flags', resourceKey: flagKey }, query: { limit: '5' } }
  },
}
