import { describe, expect, it } from 'vitest'
import type { As } from '../../index.ts'
import { allow, failureOf, flagProject, start } from '../flags/test/flag-project.ts'

const path = '/api/v2/projects/web/experimentation-settings'
const web = { projectKey: 'web' }

async function experimentProject() {
  const project = await flagProject()
  const { api, as } = project
  const { _id: projectId } = await api.getProject(web, { as })
  return {
    ...project,
    projectId,
    kind: (key: string, body: object = {}) => api.putContextKind({ ...web, key, body: { name: key, ...body } }, { as }),
    put: (randomizationUnits: readonly object[], caller: As = as) =>
      api.putExperimentationSettings({ ...web, body: { randomizationUnits } as never }, { as: caller }),
    get: () => api.getExperimentationSettings(web, { as }),
  }
}

const unit = (randomizationUnit: string, isDefault = false) => ({ randomizationUnit, default: isDefault })

const userProperties = { _hidden: false, _displayName: 'User' }

/** Returns the attributes and reasons of the validation errors. */
async function errorPairsOf(call: Promise<unknown>) {
  const { errors = [] } = await failureOf(call)
  return errors.map(({ attribute, reason }) => [attribute, reason])
}

describe('getExperimentationSettings', () => {
  it('randomizes by user by default', async () => {
    const { send, projectId } = await experimentProject()
    const response = await send('GET', path)
    expect(response.status).toBe(200)
    expect(JSON.parse(response.body as string)).toEqual({
      _projectId: projectId,
      _projectKey: 'web',
      randomizationUnits: [{ ...unit('user', true), ...userProperties }],
      _creationDate: String(start),
      _links: {
        self: { href: path, type: 'application/json' },
        parent: { href: '/api/v2/projects/web', type: 'application/json' },
      },
    })
  })

  it('returns the stored settings', async () => {
    const { put, get, kind } = await experimentProject()
    await kind('org')
    const replaced = await put([unit('org', true), unit('user')])
    expect(await get()).toEqual(replaced)
  })
})

describe('putExperimentationSettings', () => {
  it('responds with 200 and all properties', async () => {
    const { send, kind, projectId, pass } = await experimentProject()
    await kind('org', { name: 'Organization', hideInTargeting: true })
    pass(1000)
    const randomizationUnits = [
      { ...unit('org', true), standardRandomizationUnit: 'organization' },
      { randomizationUnit: 'user' },
    ]
    const response = await send('PUT', path, { body: { randomizationUnits } })
    expect([response.status, response.headers.etag]).toEqual([200, '"1"'])
    expect(JSON.parse(response.body as string)).toEqual({
      _projectId: projectId,
      _projectKey: 'web',
      randomizationUnits: [
        { ...unit('org', true), _hidden: true, _displayName: 'Organization' },
        { ...unit('user'), ...userProperties },
      ],
      _creationDate: String(start),
      _links: {
        self: { href: path, type: 'application/json' },
        parent: { href: '/api/v2/projects/web', type: 'application/json' },
      },
    })
  })

  it('replaces the settings', async () => {
    const { put, get, kind } = await experimentProject()
    await kind('org')
    await put([unit('org', true), unit('user')])
    await put([unit('user', true)])
    expect((await get()).randomizationUnits).toEqual([{ ...unit('user', true), ...userProperties }])
  })

  it('returns the current name of a kind', async () => {
    const { put, get, kind } = await experimentProject()
    await put([unit('user', true)])
    await kind('user', { name: 'Person', hideInTargeting: true })
    expect((await get()).randomizationUnits).toEqual([{ ...unit('user', true), _hidden: true, _displayName: 'Person' }])
  })

  const attribute = 'randomizationUnits'
  it.each<[string, readonly object[], readonly (readonly [string, string])[]]>([
    ['no unit', [], [[attribute, 'must contain at least one unit']]],
    ['no default', [unit('user')], [[attribute, 'must have exactly one default']]],
    ['two defaults', [unit('user', true), unit('org', true)], [[attribute, 'must have exactly one default']]],
    [
      'a repeated unit',
      [unit('user', true), unit('user')],
      [[`${attribute}.1.randomizationUnit`, 'must not be repeated']],
    ],
    [
      'an unknown kind',
      [unit('user', true), unit('planet')],
      [[`${attribute}.1.randomizationUnit`, 'must be a context kind of the project']],
    ],
    [
      'an archived kind',
      [unit('user', true), unit('old')],
      [[`${attribute}.1.randomizationUnit`, 'must not be archived']],
    ],
    [
      'several errors',
      [unit('planet'), unit('old'), unit('planet')],
      [
        [attribute, 'must have exactly one default'],
        [`${attribute}.0.randomizationUnit`, 'must be a context kind of the project'],
        [`${attribute}.1.randomizationUnit`, 'must not be archived'],
        [`${attribute}.2.randomizationUnit`, 'must not be repeated'],
      ],
    ],
    ['no kind', [{ default: true }], [[`${attribute}.0.randomizationUnit`, 'must be present']]],
    [
      'a number',
      [{ randomizationUnit: 1, default: 'yes' }],
      [
        [`${attribute}.0.randomizationUnit`, 'must be a string'],
        [`${attribute}.0.default`, 'must be a boolean'],
      ],
    ],
    [
      'a property that only responses have',
      [{ ...unit('user', true), _hidden: true }],
      [[`${attribute}.0._hidden`, 'is not a known member']],
    ],
    [
      'the key __proto__',
      [unit('user', true), unit('__proto__')],
      [[`${attribute}.1.randomizationUnit`, 'must be a context kind of the project']],
    ],
  ])('rejects %s', async (_, units, expectedErrors) => {
    const { put, get, kind } = await experimentProject()
    await kind('org')
    await kind('old', { archived: true })
    const before = await get()
    expect(await errorPairsOf(put(units))).toEqual(expectedErrors)
    expect(await get()).toEqual(before)
  })

  it.each([
    ['not a list', { randomizationUnits: {} }],
    ['nothing', {}],
    ['an unknown property', { randomizationUnits: [unit('user', true)], _projectId: 'x' }],
    ['101 units', { randomizationUnits: Array.from({ length: 101 }, (_, index) => unit(`k${index}`, index === 0)) }],
  ])('rejects %s', async (_, body) => {
    const { send } = await experimentProject()
    const response = await send('PUT', path, { body })
    expect([response.status, JSON.parse(response.body as string).code]).toEqual([400, 'invalid_request'])
  })

  it('accepts only kinds of its own project', async () => {
    const { api, as, put } = await experimentProject()
    await api.createProject({ body: { key: 'app', name: 'App' } }, { as })
    await api.putContextKind({ projectKey: 'app', key: 'org', body: { name: 'Org' } }, { as })
    expect(await errorPairsOf(put([unit('org', true)]))).toHaveLength(1)
  })

  it('responds with 404 for an unknown project', async () => {
    const { api, as } = await experimentProject()
    const nowhere = { projectKey: 'nowhere' }
    expect((await failureOf(api.getExperimentationSettings(nowhere, { as }))).code).toBe('not_found')
    const body = { randomizationUnits: [unit('user', true)] }
    expect((await failureOf(api.putExperimentationSettings({ ...nowhere, body }, { as }))).code).toBe('not_found')
  })

  it.each(['POST', 'PATCH', 'DELETE'])('responds with 405 to %s', async (method) => {
    const { send } = await experimentProject()
    const response = await send(method, path, { body: {} })
    expect(response.status).toBe(405)
    expect(JSON.parse(response.body as string)).toEqual({ code: 'method_not_allowed', message: 'Method not allowed' })
    expect(response.headers.allow?.split(', ').sort()).toEqual(['GET', 'PUT'])
  })

  it('responds with 409 when If-Match is stale, and not when the call loses a race to an equal change', async () => {
    const { put, send, kind, get } = await experimentProject()
    await kind('org')
    const headers = { 'if-match': '"3"' }
    const body = { randomizationUnits: [unit('org', true)] }
    expect((await send('PUT', path, { body, headers })).status).toBe(409)
    const race = await Promise.all(
      ['org', 'org'].map((key) =>
        put([unit(key, true)]).then(
          () => 'done',
          ({ code }) => code,
        ),
      ),
    )
    expect(race).toEqual(['done', 'done'])
    expect((await get()).randomizationUnits.map(({ randomizationUnit }) => randomizationUnit)).toEqual(['org'])
  })

  it('creates a change log entry', async () => {
    const { api, as, put, kind, pass } = await experimentProject()
    await kind('org')
    pass(1)
    await put([unit('org', true)])
    const { items } = await api.listChangeLog({}, { as })
    expect(items[0]).toMatchObject({
      kind: 'experimentation-settings',
      accesses: [{ action: 'updateExperimentationSettings' }],
    })
    expect(items[0]?.target.resources).toEqual(['proj/web', 'proj/web:context-kind/org'])
  })

  it('requires updateExperimentationSettings on the project, and viewProject', async () => {
    const { put, kind } = await experimentProject()
    await kind('org')
    const view = allow(['viewProject'], ['proj/*'])
    const update = allow(['updateExperimentationSettings'], ['proj/web'])
    const org = [unit('org', true)]
    expect((await failureOf(put(org, { policy: [view] }))).code).toBe('forbidden')
    expect((await failureOf(put(org, { policy: [update] }))).code).toBe('forbidden')
    const elsewhere = allow(['updateExperimentationSettings'], ['proj/app'])
    expect((await failureOf(put(org, { policy: [view, elsewhere] }))).code).toBe('forbidden')
    const user = [unit('user', true)]
    expect((await failureOf(put(user, { policy: [view] }))).code).toBe('forbidden')
    expect(await put(org, { policy: [view, update] })).toMatchObject({ _projectKey: 'web' })
  })

  it('does not leave settings to a new project with the key of a deleted project', async () => {
    const { api, as, kind, put, get } = await experimentProject()
    await kind('org')
    await put([unit('org', true)])
    await api.deleteProject(web, { as })
    await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
    expect((await get()).randomizationUnits).toEqual([{ ...unit('user', true), ...userProperties }])
  })
})
