import { describe, expect, it } from 'vitest'
import { allow, failureOf, flagProject } from '../flags/test/flag-project.ts'

const web = { projectKey: 'web' }
const defaults = {
  tags: ['shop'],
  temporary: false,
  defaultClientSideAvailability: { usingEnvironmentId: true, usingMobileKey: false },
  booleanDefaults: {
    trueDisplayName: 'Shown',
    falseDisplayName: 'Hidden',
    trueDescription: 'The page is shown.',
    falseDescription: '',
    onVariation: 0,
    offVariation: 0,
  },
} as const
const unchanged = {
  tags: [],
  temporary: true,
  defaultClientSideAvailability: { usingEnvironmentId: false, usingMobileKey: true },
  booleanDefaults: {
    trueDisplayName: '',
    falseDisplayName: '',
    trueDescription: '',
    falseDescription: '',
    onVariation: 0,
    offVariation: 1,
  },
}

describe('the flag defaults of a project', () => {
  it('equal the defaults of a flag without settings until they are replaced', async () => {
    const { api, as } = await flagProject()
    const path = '/api/v2/projects/web'
    expect(await api.getFlagDefaults(web, { as })).toEqual({
      _links: {
        self: { href: `${path}/flag-defaults`, type: 'application/json' },
        parent: { href: path, type: 'application/json' },
      },
      key: 'web',
      ...unchanged,
    })
    expect(await api.putFlagDefaults({ ...web, body: defaults }, { as })).toMatchObject(defaults)
    expect(await api.getFlagDefaults(web, { as })).toMatchObject(defaults)
    expect(await api.getProject(web, { as })).toMatchObject({
      defaultClientSideAvailability: defaults.defaultClientSideAvailability,
    })
  })

  it('are used for a new flag whose request omits these properties', async () => {
    const { api, as, create } = await flagProject()
    await api.putFlagDefaults({ ...web, body: defaults }, { as })
    const flag = await create('checkout')
    expect(flag).toMatchObject({
      tags: ['shop'],
      temporary: false,
      clientSideAvailability: defaults.defaultClientSideAvailability,
      defaults: { onVariation: 0, offVariation: 0 },
    })
    expect(flag.variations.map(({ value, name, description }) => ({ value, name, description }))).toEqual([
      { value: true, name: 'Shown', description: 'The page is shown.' },
      { value: false, name: 'Hidden', description: undefined },
    ])
  })

  it('do not replace properties of the request, or properties of the source of a clone', async () => {
    const { api, as, create } = await flagProject()
    await create('source', { tags: ['old'], temporary: true })
    await api.putFlagDefaults({ ...web, body: defaults }, { as })
    const requestedProperties = { tags: [], temporary: true, variations: [{ value: 'a' }, { value: 'b' }] }
    expect(await create('own', requestedProperties)).toMatchObject({
      tags: [],
      temporary: true,
      defaults: { onVariation: 0, offVariation: 1 },
    })
    const cloned = await api.createFlag({ ...web, clone: 'source', body: { key: 'clone', name: 'Clone' } }, { as })
    expect(cloned).toMatchObject({ tags: ['old'], temporary: true, defaults: { onVariation: 0, offVariation: 1 } })
  })

  it('are patched, and reverted by their entry in the change log', async () => {
    const { api, as } = await flagProject()
    const body = [{ op: 'replace', path: '/booleanDefaults/trueDisplayName', value: 'Yes' }] as never
    const patched = await api.patchFlagDefaults({ ...web, body }, { as })
    expect(patched.booleanDefaults).toEqual({ ...unchanged.booleanDefaults, trueDisplayName: 'Yes' })
    const [entry] = (await api.listChangeLog({}, { as })).items
    expect(entry?.description).toBe('changed the variations of boolean flags in the flag defaults of Web')
    await api.revertChangeLogEntry({ id: entry?._id as string, body: {} }, { as })
    expect(await api.getFlagDefaults(web, { as })).toMatchObject(unchanged)
  })

  it('require the right to each changed part', async () => {
    const { api } = await flagProject()
    const mayUpdate = { policy: [allow(['viewProject', 'updateProjectFlagDefaults'], ['proj/*'])] }
    const send = (body: object) => api.putFlagDefaults({ ...web, body: body as never }, { as: mayUpdate })
    expect((await failureOf(send(defaults))).code).toBe('forbidden')
    const { defaultClientSideAvailability } = unchanged
    expect(await send({ ...defaults, defaultClientSideAvailability })).toMatchObject({ tags: ['shop'] })
  })

  it.each([
    ['a third variation', { booleanDefaults: { ...defaults.booleanDefaults, onVariation: 2 } }],
    ['no tags', { tags: undefined }],
    ['an unknown property', { key: 'web' }],
  ])('reject %s', async (_, more) => {
    const { api, as } = await flagProject()
    const { code } = await failureOf(api.putFlagDefaults({ ...web, body: { ...defaults, ...more } as never }, { as }))
    expect(code).toBe('invalid_request')
    expect(await api.getFlagDefaults(web, { as })).toMatchObject(unchanged)
  })
})
