import { describe, expect, it } from 'vitest'
import { allow, failureOf, flagProject } from '../test/flag-project.ts'

const json = 'application/json'
const summary = (key: string, name: string) => ({
  key,
  name,
  _links: { self: { href: `/api/v2/flags/web/${key}`, type: json } },
})
const site = (environmentKey: string, key: string) => ({
  href: `/web/${environmentKey}/features/${key}`,
  type: 'text/html',
})
const environment = (key: string, name: string, flagKey: string) => ({
  key,
  name,
  _links: { self: { href: `/api/v2/projects/web/environments/${key}`, type: json } },
  _site: site(key, flagKey),
})

/** Creates the flag `base`, which `b` depends on in production and `a` in both environments. */
async function project() {
  const base = await flagProject()
  const { api, as, create, instruct, keysOf } = base
  const [first] = (await create('base')).variations
  await create('a', { name: 'Flag A' })
  await create('b', { name: 'Flag B' })
  const addPrerequisite = (key: string, environmentKey: string) =>
    instruct(key, [{ kind: 'addPrerequisite', key: 'base', variationId: first?._id }], { environmentKey })
  await addPrerequisite('b', 'production')
  await addPrerequisite('a', 'production')
  await addPrerequisite('a', 'test')
  return {
    ...base,
    across: (key = 'base') => api.listDependentFlags(keysOf(key), { as }),
    within: (environmentKey: string, key = 'base') =>
      api.listDependentFlagsByEnvironment({ ...keysOf(key), environmentKey }, { as }),
  }
}

describe('listDependentFlags', () => {
  it('returns the flags that depend on a flag, by key, with their environments', async () => {
    const { across } = await project()
    expect(await across()).toEqual({
      items: [
        {
          ...summary('a', 'Flag A'),
          environments: [environment('production', 'Production', 'a'), environment('test', 'Test', 'a')],
        },
        { ...summary('b', 'Flag B'), environments: [environment('production', 'Production', 'b')] },
      ],
      _links: { self: { href: '/api/v2/flags/web/base/dependent-flags', type: json } },
    })
    expect((await across('a')).items).toEqual([])
  })

  it('omits flags that no longer depend on it, and deleted environments and flags', async () => {
    const { across, instruct, api, as, keysOf } = await project()
    await instruct('b', [{ kind: 'removePrerequisite', key: 'base' }])
    expect((await across()).items.map(({ key }) => key)).toEqual(['a'])
    await api.deleteEnvironment({ projectKey: 'web', environmentKey: 'test' }, { as })
    expect((await across()).items[0]?.environments.map(({ key }) => key)).toEqual(['production'])
    await api.deleteFlag(keysOf('a'), { as })
    expect((await across()).items).toEqual([])
  })

  it('is limited to the project', async () => {
    const { across, api, as } = await project()
    await api.createProject({ body: { key: 'web2', name: 'Other' } }, { as })
    const keys = { projectKey: 'web2', flagKey: 'base' }
    await api.createFlag({ projectKey: 'web2', body: { key: 'base', name: 'base' } }, { as })
    expect((await api.listDependentFlags(keys, { as })).items).toEqual([])
    expect((await across()).items).toHaveLength(2)
  })
})

describe('listDependentFlagsByEnvironment', () => {
  it('returns the flags that depend on a flag in the environment', async () => {
    const { within } = await project()
    expect(await within('production')).toEqual({
      items: [
        { ...summary('a', 'Flag A'), _site: site('production', 'a') },
        { ...summary('b', 'Flag B'), _site: site('production', 'b') },
      ],
      _links: { self: { href: '/api/v2/flags/web/production/base/dependent-flags', type: json } },
      _site: site('production', 'base'),
    })
    expect((await within('test')).items.map(({ key }) => key)).toEqual(['a'])
  })
})

describe('both operations', () => {
  it('return 404 for an unknown flag or environment', async () => {
    const { across, within } = await project()
    for (const call of [across('other'), within('production', 'other'), within('other')]) {
      expect((await failureOf(call)).code).toBe('not_found')
    }
  })

  it('require the beta header over a transport, and the right to view the project', async () => {
    const { send, api, keysOf } = await project()
    const as = { policy: [allow(['viewProject'], ['proj/other'])] }
    expect((await failureOf(api.listDependentFlags(keysOf('base'), { as }))).code).toBe('forbidden')
    for (const path of [
      '/api/v2/flags/web/base/dependent-flags',
      '/api/v2/flags/web/production/base/dependent-flags',
    ]) {
      expect((await send('GET', path)).status).toBe(403)
      expect((await send('GET', path, { headers: { 'svc-api-version': 'beta' } })).status).toBe(200)
    }
  })
})
