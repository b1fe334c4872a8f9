import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ApiError } from '../../index.ts'
import { flags } from '../../models/flags/flag.ts'
import { failureOf, flagProject } from './test/flag-project.ts'

const contradiction = [
  { attribute: 'includeInSnippet', reason: 'must be equal to clientSideAvailability.usingEnvironmentId' },
  { attribute: 'clientSideAvailability.usingEnvironmentId', reason: 'must be equal to includeInSnippet' },
]

const both = (usingEnvironmentId: boolean, usingMobileKey = true) => ({ usingEnvironmentId, usingMobileKey })

const replace = (path: string, value: unknown) => ({ op: 'replace', path, value })

describe('includeInSnippet of a flag', () => {
  it.each([
    [{ includeInSnippet: true }, both(true)],
    [{ includeInSnippet: false }, both(false)],
    [{ clientSideAvailability: both(true, false) }, both(true, false)],
    [{ includeInSnippet: true, clientSideAvailability: both(true, false) }, both(true, false)],
    [{}, both(false)],
  ])('a creation with %j makes the flag available to %j', async (settings, expected) => {
    const { create, get } = await flagProject()
    await create('f', settings)
    const flag = await get('f')
    expect(flag.clientSideAvailability).toEqual(expected)
    expect(flag.includeInSnippet).toBe(expected.usingEnvironmentId)
  })

  it('a creation with contradictory values is refused with an error for each of the two attributes', async () => {
    const { create } = await flagProject()
    const call = create('f', { includeInSnippet: true, clientSideAvailability: both(false) })
    expect(await failureOf(call)).toMatchObject({ code: 'invalid_request', errors: contradiction })
  })

  it('a clone copies the availability of its source unless the request contains either property', async () => {
    const { create, api, as } = await flagProject()
    await create('f', { includeInSnippet: true })
    const clone = (body: {
      key: string
      includeInSnippet?: boolean
      clientSideAvailability?: ReturnType<typeof both>
    }) => api.createFlag({ projectKey: 'web', clone: 'f', body: { name: body.key, ...body } }, { as })
    expect(await clone({ key: 'a' })).toMatchObject({ includeInSnippet: true, clientSideAvailability: both(true) })
    const other = await clone({ key: 'b', includeInSnippet: false })
    expect(other).toMatchObject({ includeInSnippet: false, clientSideAvailability: both(false) })
    const call = clone({ key: 'c', includeInSnippet: false, clientSideAvailability: both(true) })
    expect((await failureOf(call)).errors).toEqual(contradiction)
  })

  it('has the value of clientSideAvailability after each JSON Patch, and a patch that contradicts itself is refused', async () => {
    const { create, get, patch } = await flagProject()
    await create('f')
    const operation = fc.oneof(
      fc.record({ path: fc.constant('/includeInSnippet'), value: fc.boolean() }),
      fc.record({ path: fc.constant('/clientSideAvailability/usingEnvironmentId'), value: fc.boolean() }),
      fc.record({ path: fc.constant('/clientSideAvailability'), value: fc.boolean().map((value) => both(value)) }),
    )
    const operations = fc.array(operation, { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(operations, async (list) => {
        const before = (await get('f')).includeInSnippet
        const settingOf = (value: boolean | ReturnType<typeof both>) =>
          typeof value === 'boolean' ? value : value.usingEnvironmentId
        const last = (isAlias: boolean) =>
          list.findLast(({ path }) => (path === '/includeInSnippet') === isAlias)?.value
        const expected = [last(true), last(false)].flatMap((value) => (value === undefined ? [] : [settingOf(value)]))
        const outcome = await patch(
          'f',
          list.map(({ path, value }) => replace(path, value)),
        ).catch((error: ApiError) => error)
        const flag = await get('f')
        if (new Set(expected).size > 1) {
          expect(outcome).toMatchObject({ code: 'invalid_request', errors: contradiction })
          expect(flag.includeInSnippet).toBe(before)
        } else expect(flag.includeInSnippet).toBe(expected[0])
        expect(flag.clientSideAvailability.usingEnvironmentId).toBe(flag.includeInSnippet)
      }),
      { numRuns: 200 },
    )
  })

  it('is changed by an instruction for client-side SDKs, and changed back by its revert', async () => {
    const { create, get, instruct, api, as } = await flagProject()
    await create('f')
    await instruct('f', [{ kind: 'turnOnClientSideAvailability', value: 'usingEnvironmentId' }])
    expect((await get('f')).includeInSnippet).toBe(true)
    const [entry] = (await api.listChangeLog({ limit: 1 }, { as })).items
    await api.revertChangeLogEntry({ id: entry?._id ?? '', body: {} }, { as })
    expect(await get('f')).toMatchObject({ includeInSnippet: false, clientSideAvailability: both(false) })
  })

  it('is logged as part of the change of clientSideAvailability', async () => {
    const { create, patch, api, as } = await flagProject()
    await create('f')
    await patch('f', [replace('/includeInSnippet', true)])
    const [item] = (await api.listChangeLog({ limit: 1 }, { as })).items
    const entry = await api.getChangeLogEntry({ id: item?._id ?? '' }, { as })
    expect(entry.delta?.[0]?.patch).toEqual([
      { op: 'replace', path: '/includeInSnippet', value: true },
      { op: 'replace', path: '/clientSideAvailability/usingEnvironmentId', value: true },
    ])
    expect(entry.accesses).toEqual([{ action: 'updateClientSideFlagAvailability', resource: 'proj/web:env/*:flag/f' }])
  })

  it('a value that an earlier version stored has no effect', async () => {
    const { create, get, patch, account, api, as } = await flagProject()
    await create('f', { clientSideAvailability: both(false) })
    const id = flags.id({ projectKey: 'web', flagKey: 'f' })
    const stored = await account.get(id)
    if (!stored) throw new Error('the flag is not stored')
    const body = { ...(stored.body as object), includeInSnippet: true, version: stored.version + 1 }
    await account.commit([{ do: 'replace', id, version: stored.version, body, fields: {} }])
    expect(await get('f')).toMatchObject({ includeInSnippet: false, clientSideAvailability: both(false) })
    await patch('f', [replace('/name', 'Other')])
    expect((await get('f')).includeInSnippet).toBe(false)
    await patch('f', [replace('/includeInSnippet', true)])
    expect(await get('f')).toMatchObject({ includeInSnippet: true, clientSideAvailability: both(true) })
    const [item] = (await api.listChangeLog({ limit: 1 }, { as })).items
    await api.revertChangeLogEntry({ id: item?._id ?? '', body: {} }, { as })
    expect(await get('f')).toMatchObject({ includeInSnippet: false, clientSideAvailability: both(false) })
  })
})

describe('includeInSnippetByDefault of a project', () => {
  const names = ['includeInSnippetByDefault', 'defaultClientSideAvailability.usingEnvironmentId'] as const
  const reasons = names.map((attribute, index) => ({ attribute, reason: `must be equal to ${names[1 - index]}` }))

  it('a creation sets both settings from one, and new flags follow them', async () => {
    const { api, as } = await flagProject()
    const body = { key: 'shop', name: 'Shop', includeInSnippetByDefault: true }
    const project = await api.createProject({ body }, { as })
    expect(project).toMatchObject({ includeInSnippetByDefault: true, defaultClientSideAvailability: both(true) })
    const flag = await api.createFlag({ projectKey: 'shop', body: { key: 'a', name: 'A' } }, { as })
    expect(flag).toMatchObject({ includeInSnippet: true, clientSideAvailability: both(true) })
  })

  it('a creation with contradictory values is refused with an error for each of the two attributes', async () => {
    const { api, as } = await flagProject()
    const body = { key: 'x', name: 'X', includeInSnippetByDefault: false, defaultClientSideAvailability: both(true) }
    expect((await failureOf(api.createProject({ body }, { as }))).errors).toEqual(reasons)
    expect((await failureOf(api.getProject({ projectKey: 'x' }, { as }))).code).toBe('not_found')
  })

  it('a JSON Patch of either sets both, and contradictory operations are refused', async () => {
    const { api, as } = await flagProject()
    const patch = (...operations: readonly { path: string; value: unknown }[]) =>
      api.patchProject(
        { projectKey: 'web', body: operations.map(({ path, value }) => ({ op: 'replace', path, value })) as never },
        { as },
      )
    const alias = { path: '/includeInSnippetByDefault', value: true }
    expect(await patch(alias)).toMatchObject({
      includeInSnippetByDefault: true,
      defaultClientSideAvailability: both(true),
    })
    const off = { path: '/defaultClientSideAvailability/usingEnvironmentId', value: false }
    expect(await patch(off)).toMatchObject({
      includeInSnippetByDefault: false,
      defaultClientSideAvailability: both(false),
    })
    expect((await failureOf(patch(alias, off))).errors).toEqual(reasons)
  })
})
