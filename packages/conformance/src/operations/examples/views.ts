import type { ExampleContext, ExampleMakers } from '../example.ts'
import { newProject } from './projects.ts'

async function newView(context: ExampleContext): Promise<Record<'projectKey' | 'viewKey', string>> {
  const { projectKey } = await newProject(context)
  const viewKey = context.newKey()
  const body = { key: viewKey, name: 'Checkout', description: 'All that is paid with', tags: ['shop'] }
  await context.call('createView', { params: { projectKey }, body })
  return { projectKey, viewKey }
}

/** Creates a view with one linked flag, and returns the key of that flag too. */
async function newLinkedView(context: ExampleContext): Promise<Record<'projectKey' | 'viewKey' | 'flagKey', string>> {
  const params = await newView(context)
  const flagKey = context.newKey()
  const { projectKey } = params
  await context.call('createFlag', { params: { projectKey }, body: { key: flagKey, name: 'Price', tags: ['shop'] } })
  await context.call('linkResource', { params: { ...params, resourceType: 'flags' }, body: { keys: [flagKey] } })
  return { ...params, flagKey }
}

export const viewExamples: ExampleMakers = {
  listViews: async (context) => {
    const { projectKey } = await newView(context)
    return { params: { projectKey }, query: { limit: '5', sort: '-createdAt', filter: 'query:check,tags:shop' } }
  },
  createView: async (context) => ({
    params: await newProject(context),
    body: { key: context.newKey(), name: 'Checkout', description: 'All that is paid with', tags: ['shop'] },
  }),
  getView: async (context) => ({ params: await newView(context) }),
  patchView: async (context) => ({
    params: await newView(context),
    body: { name: 'Checkout and cart', tags: ['shop', 'cart'], comment: 'grown' },
  }),
  deleteView: async (context) => {
    const { projectKey, viewKey } = await newLinkedView(context)
    return { params: { projectKey, viewKey } }
  },
  linkResource: async (context) => {
    const params = await newView(context)
    const { projectKey } = params
    const environmentKey = 'production'
    const segmentKey = context.newKey()
    const { _id } = await context.call<{ _id: string }>('getEnvironment', { params: { projectKey, environmentKey } })
    const segment = { key: segmentKey, name: 'Beta users', tags: ['beta'] }
    await context.call('createSegment', { params: { projectKey, environmentKey }, body: segment })
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
  unlinkResource: async (context) => {
    const { flagKey, ...params } = await newLinkedView(context)
    return { params: { ...params, resourceType: 'flags' }, body: { keys: [flagKey], filter: 'tags:shop' } }
  },
  listLinkedResources: async (context) => {
    const { projectKey, viewKey } = await newLinkedView(context)
    return {
      params: { projectKey, viewKey, resourceType: 'flags' },
      query: { limit: '5', sort: '-name', query: 'pri', filter: 'tags:shop', expand: 'resourceDetails' },
    }
  },
  listLinkedViews: async (context) => {
    const { projectKey, flagKey } = await newLinkedView(context)
    return { params: { projectKey, resourceType: 'flags', resourceKey: flagKey }, query: { limit: '5' } }
  },
}
