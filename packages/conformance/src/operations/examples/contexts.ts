import type { ExampleContext, ExampleMakers } from '../example.ts'
import { newEnvironment } from './projects.ts'

const ann = { kind: 'user', key: 'ann', name: 'Ann Smith', country: 'de', groups: ['beta', 'staff'] }
const phone = { key: 'phone-1', model: 'P1' }

/** Creates an environment in which contexts were seen. */
async function newContexts(context: ExampleContext) {
  const params = await newEnvironment(context)
  const { kind: _, ...user } = ann
  const contexts = [ann, { kind: 'multi', user, device: phone }]
  await context.call('createContextInstances', { params, body: { contexts } })
  return params
}

async function newInstance(context: ExampleContext) {
  const params = await newContexts(context)
  const { items } = await context.call<{ items: { id: string }[] }>('searchContextInstances', {
    params,
    body: { filter: 'kinds equals device' },
  })
  return { ...params, id: items[0]?.id ?? '' }
}

/** Creates a flag of an environment. */
async function newSetting(context: ExampleContext) {
  const { projectKey = '', environmentKey = '' } = await newEnvironment(context)
  const flagKey = context.newKey()
  await context.call('createFlag', { params: { projectKey }, body: { key: flagKey, name: 'Checkout' } })
  return { projectKey, environmentKey, flagKey }
}

export const contextExamples: ExampleMakers = {
  createContextInstances: async (context) => ({ params: await newEnvironment(context), body: { contexts: [ann] } }),
  searchContexts: async (context) => ({
    params: await newContexts(context),
    body: { filter: 'kind equals user, user.country anyOf ["de", "at"]', sort: '-ts', limit: 10 },
  }),
  searchContextInstances: async (context) => ({
    params: await newContexts(context),
    query: { filter: 'name startsWith "Ann"', limit: '1', includeTotalCount: 'true' },
    body: {},
  }),
  getContexts: async (context) => ({ params: { ...(await newContexts(context)), kind: 'user', key: 'ann' } }),
  getSearchUsers: async (context) => ({
    params: await newContexts(context),
    query: { q: 'an', after: '1', sort: 'lastSeen', limit: '1' },
  }),
  getUsers: async (context) => ({ params: await newContexts(context), query: { limit: '1', searchAfter: '0' } }),
  getUser: async (context) => ({ params: { ...(await newContexts(context)), userKey: 'ann' } }),
  deleteUser: async (context) => ({ params: { ...(await newContexts(context)), userKey: 'ann' } }),
  getUserAttributeNames: async (context) => ({ params: await newContexts(context) }),
  getContextInstances: async (context) => ({ params: await newInstance(context) }),
  deleteContextInstances: async (context) => ({ params: await newInstance(context) }),
  getContextAttributeNames: async (context) => ({
    params: await newContexts(context),
    query: { filter: 'kind equals user, name startsWith "co"' },
  }),
  getContextAttributeValues: async (context) => ({
    params: { ...(await newContexts(context)), attributeName: 'groups' },
    query: { filter: 'value startsWith "b"' },
  }),
  putContextFlagSetting: async (context) => ({
    params: { ...(await newSetting(context)), contextKind: 'user', contextKey: 'ann' },
    body: { setting: true, comment: 'for a test' },
  }),
  putFlagSetting: async (context) => ({
    params: { ...(await newSetting(context)), userKey: 'ann' },
    body: { setting: true },
  }),
  getUserFlagSettings: async (context) => {
    const { flagKey: _, ...params } = await newSetting(context)
    return { params: { ...params, userKey: 'ann' } }
  },
  getUserFlagSetting: async (context) => ({ params: { ...(await newSetting(context)), userKey: 'ann' } }),
  evaluateContextInstance: async (context) => {
    const params = await newEnvironment(context)
    const body = { key: context.newKey(), name: 'Checkout', tags: ['web'] }
    await context.call('createFlag', { params: { projectKey: params.projectKey ?? '' }, body })
    return { params, query: { filter: 'query equals checkout, tags contains ["web"]', limit: '5' }, body: ann }
  },
  getContextInstanceSegmentsMembershipByEnv: async (context) => {
    const params = await newEnvironment(context)
    await context.call('createSegment', { params, body: { key: context.newKey(), name: 'Staff' } })
    return { params, body: ann }
  },
}
