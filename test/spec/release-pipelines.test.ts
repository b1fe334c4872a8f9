import { describe, expect, it } from 'vitest'
import { type Account, createShopAccount, start } from './account.ts'
import { type SpecOperation, sendTo, specTests } from './conformance.ts'
import { accessDetails, linksTo, listOf, type Shape } from './shape.ts'

const audienceShape: Shape = {
  name: 'string',
  environment: {
    _links: linksTo('self'),
    key: 'string',
    name: 'string',
    color: (value, at) => (/^[0-9A-Fa-f]{6}$/.test(String(value)) ? [] : [`${at} is not a hex color`]),
  },
  'configuration?': {
    releaseStrategy: 'string',
    requireApproval: 'boolean',
    notifyMemberIds: listOf('string'),
    notifyTeamKeys: listOf('string'),
    'releaseGuardianConfiguration?': {
      monitoringWindowMilliseconds: 'integer',
      rolloutWeight: 'integer',
      rollbackOnRegression: 'boolean',
      randomizationUnit: 'string',
    },
  },
  segmentKeys: listOf('string'),
}

const pipeline: Shape = {
  createdAt: 'ms-string',
  key: 'string',
  name: 'string',
  phases: [{ id: 'string', name: 'string', audiences: [audienceShape], configuration: 'object' }],
  description: 'string',
  tags: ['string'],
  _version: 'integer',
  _access: accessDetails,
  isProjectDefault: 'boolean',
  _isLegacy: 'boolean',
}

const phases = [
  {
    name: 'Testers',
    configuration: { note: 'a day' },
    audiences: [{ environmentKey: 'production', name: 'Beta', segmentKeys: ['beta'] }],
  },
  { name: 'All', configuration: {}, audiences: [{ environmentKey: 'test', name: 'All', segmentKeys: [] }] },
]

async function newPipeline({ api, caller }: Account) {
  await api.createTeam({ body: { key: 'growth', name: 'Growth' } }, caller)
  const { items } = await api.listMembers({}, caller)
  const configuration = {
    releaseStrategy: 'monitoredRelease',
    requireApproval: true,
    notifyMemberIds: items.map(({ _id }) => _id),
    notifyTeamKeys: ['growth'],
    releaseGuardianConfiguration: {
      monitoringWindowMilliseconds: 60_000,
      rolloutWeight: 50,
      rollbackOnRegression: true,
      randomizationUnit: 'user',
    },
  }
  const audiences = [{ environmentKey: 'production', name: 'All', segmentKeys: ['beta'], configuration }]
  const body = { key: 'usual', name: 'Usual', phases: [{ name: 'One', audiences }] }
  await api.createReleasePipeline({ projectKey: 'web', body }, caller)
  return { configuration, params: { projectKey: 'web', pipelineKey: 'usual' } }
}

const put: SpecOperation = {
  id: 'putReleasePipeline',
  method: 'PUT',
  path: '/api/v2/projects/{projectKey}/release-pipelines/{pipelineKey}',
  status: 200,
  errors: ['invalid_request', 'forbidden', 'not_found'],
  async setUp(account) {
    const { params } = await newPipeline(account)
    return { params, body: { name: 'Quick', phases, description: 'Ours', tags: ['quick'] } }
  },
  response: pipeline,
  required: [
    'name',
    'phases',
    'phases.0.name',
    'phases.0.audiences',
    'phases.0.audiences.0.environmentKey',
    'phases.0.audiences.0.name',
  ],
}

specTests(put)

const validationFailure = (...errors: object[]) => ({
  status: 400,
  body: { code: 'invalid_request', message: 'validation failed', errors },
})

describe('putReleasePipeline', () => {
  it('replaces the pipeline and keeps its key and creation date', async () => {
    const account = await createShopAccount()
    const input = await put.setUp(account)
    const { body } = await sendTo(put, account, input)
    expect(body).toMatchObject({
      createdAt: String(start),
      key: 'usual',
      name: 'Quick',
      description: 'Ours',
      tags: ['quick'],
      _version: 2,
      isProjectDefault: true,
      _isLegacy: false,
      phases: [
        {
          name: 'Testers',
          configuration: { note: 'a day' },
          audiences: [
            {
              name: 'Beta',
              environment: {
                key: 'production',
                name: 'Production',
                _links: { self: { href: '/api/v2/projects/web/environments/production', type: 'application/json' } },
              },
              segmentKeys: ['beta'],
            },
          ],
        },
        { name: 'All', configuration: {}, audiences: [{ environment: { key: 'test' }, segmentKeys: [] }] },
      ],
    })
  })

  it('returns the whole configuration of an audience', async () => {
    const account = await createShopAccount()
    const { params, configuration } = await newPipeline(account)
    const audiences = [{ environmentKey: 'production', name: 'All', segmentKeys: ['beta'], configuration }]
    const response = await sendTo(put, account, {
      params,
      body: { name: 'Usual', phases: [{ name: 'One', audiences }] },
    })
    expect(response).toMatchObject({ status: 200, body: { phases: [{ audiences: [{ configuration }] }] } })
  })

  it('resets fields that the body omits', async () => {
    const account = await createShopAccount()
    const { params = {}, body } = await put.setUp(account)
    await sendTo(put, account, { params, body })
    const audiences = [{ environmentKey: 'test', name: 'All' }]
    const minimalBody = { name: 'Bare', phases: [{ name: 'One', audiences }] }
    expect(await sendTo(put, account, { params, body: minimalBody })).toMatchObject({
      body: {
        description: '',
        tags: [],
        _version: 3,
        phases: [{ configuration: {}, audiences: [{ segmentKeys: [] }] }],
      },
    })
  })

  it('gets 400 for an unknown environment and an unknown segment, and names both', async () => {
    const account = await createShopAccount()
    const { params } = await newPipeline(account)
    const audiences = [
      { environmentKey: 'moon', name: 'None' },
      { environmentKey: 'production', name: 'None', segmentKeys: ['beta', 'gone'] },
    ]
    const response = await sendTo(put, account, {
      params,
      body: { name: 'Usual', phases: [{ name: 'One', audiences }] },
    })
    expect(response).toMatchObject(
      validationFailure(
        { attribute: 'phases.0.audiences.0.environmentKey' },
        { attribute: 'phases.0.audiences.1.segmentKeys.1' },
      ),
    )
  })

  it.each([
    ['phases', 0],
    ['phases', 11],
  ])('gets 400 for %s with %d items', async (attribute, count) => {
    const account = await createShopAccount()
    const { params = {} } = await put.setUp(account)
    const body = { name: 'Usual', phases: Array.from({ length: count }, () => phases[1]) }
    expect(await sendTo(put, account, { params, body })).toMatchObject(validationFailure({ attribute }))
  })

  it('accepts ten phases', async () => {
    const account = await createShopAccount()
    const { params = {} } = await put.setUp(account)
    const body = {
      name: 'Usual',
      phases: Array.from({ length: 10 }, (_, index) => ({ ...phases[1], name: `Phase ${index}` })),
    }
    expect((await sendTo(put, account, { params, body })).status).toBe(200)
  })

  it('gets 400 that names every value of a wrong type', async () => {
    const account = await createShopAccount()
    const { params = {} } = await put.setUp(account)
    const body = { name: 7, phases: 'none', description: 1, tags: [true], key: 'other' }
    const response = await sendTo(put, account, { params, body })
    expect(response).toMatchObject({ status: 400 })
    const { errors } = response.body as { errors: { attribute: string }[] }
    expect(errors.map(({ attribute }) => attribute).sort()).toEqual(['description', 'key', 'name', 'phases', 'tags.0'])
  })

  it('returns in _access the actions that the caller may do, and the statements that decide', async () => {
    const account = await createShopAccount()
    const input = await put.setUp(account)
    const resources = ['proj/web:release-pipeline/*']
    const actions = [
      'updateReleasePipelineName',
      'updateReleasePipelineDescription',
      'updateReleasePipelineTags',
      'updateReleasePipelinePhase',
      'updateReleasePipelinePhaseName',
    ]
    const as = await account.tokenOf(
      { effect: 'allow', actions: ['viewProject'], resources: ['proj/*'] },
      { effect: 'allow', actions, resources },
      { effect: 'deny', actions: ['deleteReleasePipeline'], resources },
    )
    const { status, body } = await sendTo(put, account, input, { as })
    expect(status).toBe(200)
    const { allowed, denied } = (body as { _access: Record<'allowed' | 'denied', { action: string }[]> })._access
    expect(allowed.map(({ action }) => action).sort()).toEqual([...actions].sort())
    expect(allowed[0]).toEqual({
      action: allowed[0]?.action,
      reason: { effect: 'allow', resources, actions, role_name: expect.any(String) },
    })
    expect(denied).toContainEqual({
      action: 'deleteReleasePipeline',
      reason: { effect: 'deny', resources, actions: ['deleteReleasePipeline'], role_name: expect.any(String) },
    })
    expect(denied).toContainEqual({
      action: 'createReleasePipeline',
      reason: { effect: 'deny', resources: [], notResources: [], actions: [], notActions: [], role_name: '' },
    })
  })
})
