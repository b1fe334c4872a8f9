import { beforeEach, describe, expect, it } from 'vitest'
import { type McpSteps, openMcpSteps } from './mcp-steps.ts'

let steps: McpSteps

beforeEach(async () => {
  steps = await openMcpSteps()
})

const config = '/environments/production'

const add = (path: string, value: unknown) => ({ op: 'add', path, value })

const replace = (path: string, value: unknown) => ({ op: 'replace', path, value })

const remove = (path: string) => ({ op: 'remove', path })

/** Calls the tool that changes a flag with one patch after the other. */
async function update(featureFlagKey: string, patches: readonly (readonly object[])[]): Promise<void> {
  for (const patch of patches) await steps.step('update-feature-flag', { featureFlagKey, PatchWithComment: { patch } })
}

const create = <Flag>(body: object, request: object = {}) =>
  steps.step<Flag>('create-feature-flag', { ...request, FeatureFlagBody: body })

const clause = (overrides: object = {}) => ({
  attribute: 'country',
  op: 'in',
  values: ['de', 1, true],
  negate: false,
  ...overrides,
})

const rollout = (overrides: object = {}) => ({
  variations: [
    { variation: 0, weight: 60_000 },
    { variation: 1, weight: 40_000 },
  ],
  ...overrides,
})

describe('a session of the published MCP server', () => {
  it('creates flags with each property', async () => {
    const { session } = steps
    const { items } = await session.send<{ items: { _id: string }[] }>('GET', '/members')
    await session.send('POST', '/teams', { key: 'core', name: 'Core' })
    const base = await create<{ variations: { id: string }[] }>({ key: 'base', name: 'Base' })
    const bodies = [
      { isFlagOn: true },
      { isFlagOn: false, temporary: false, includeInSnippet: true },
      { initialPrerequisites: [{ key: 'base', variationId: base.variations[0]?.id }], isFlagOn: true },
      { purpose: 'migration', migrationSettings: { stageCount: 6, contextKind: 'user' } },
      { purpose: 'migration', migrationSettings: { stageCount: 4 } },
      { purpose: 'migration', migrationSettings: { stageCount: 2 } },
      { maintainerTeamKey: 'core' },
      { maintainerId: items[0]?._id },
      { variations: [{ _id: '', value: 'a', name: 'A', description: 'first' }, { value: 'b' }] },
      { variations: [{ value: 1.5 }, { value: -2 }, { value: 0 }] },
      {
        variations: [{ value: [1, null] }, { value: { a: { b: [] } } }],
        defaults: { onVariation: 1, offVariation: 0 },
      },
      { variations: [{ value: null }, { value: {} }] },
      { tags: ['a', 'b'], description: 'text', customProperties: { issues: { name: 'Issues', value: ['1', '2'] } } },
      { clientSideAvailability: { usingEnvironmentId: true, usingMobileKey: true } },
    ]
    for (const [index, body] of bodies.entries()) {
      const key = `flag-${index}`
      await create({ key, name: key, ...body })
      for (const env of ['production', 'production,test', undefined]) {
        await steps.step('get-feature-flag', { featureFlagKey: key, env, expand: 'evaluation,migrationSettings' })
      }
      await steps.step('get-flag-status-across-environments', { featureFlagKey: key, env: 'test' })
    }
    await create({ key: 'clone', name: 'Clone' }, { clone: 'flag-8' })
    await steps.step('delete-feature-flag', { featureFlagKey: 'flag-2' })
    steps.expectSuccess()
    expect(steps.count()).toBeGreaterThan(70)
  })

  it('lists flags and environments with each parameter', async () => {
    await create({ key: 'b', name: 'B', tags: ['web'], isFlagOn: true })
    await create({ key: 'a', name: 'A', temporary: false })
    await update('a', [[replace('/archived', true)]])
    const orders = ['name', 'key', 'creationDate', 'maintainerId', 'type']
    const filters = [
      ...['query:a', 'tags:web', 'tags:web+app', 'state:live', 'state:archived', 'archived:true', 'type:temporary'],
      ...[
        'maintainerTeamKey:core',
        'sdkAvailability:client',
        'creationDate:{"before":1690527600000}',
        'query:a,tags:web',
        'evaluated:{"after":1590768455282},filterEnv:production',
      ],
      ...['hasExperiment:true', 'codeReferences.min:1', 'codeReferences.max:0', 'archived:false,hasExperiment:false'],
    ]
    const requests = [
      ...orders.flatMap((sort) => [{ sort }, { sort: `-${sort}` }]),
      { sort: 'type,-name' },
      ...filters.map((filter) => ({ filter })),
      ...[true, false].flatMap((value) => [{ archived: value }, { compare: value }, { summary: value, env: 'test' }]),
      ...['codeReferences', 'evaluation', 'migrationSettings'].map((expand) => ({ expand, env: 'production' })),
      ...[{ tag: 'web' }, { limit: 1, offset: 1 }, { offset: 9 }, { limit: 100 }, { env: 'test,production' }],
    ]
    for (const request of requests) await steps.step('list-feature-flags', request)
    const archived = await steps.step<{ items: { key: string }[] }>('list-feature-flags', { archived: true })
    expect(archived.items.map(({ key }) => key)).toEqual(['a'])
    const environmentRequests = [
      ...['name', '-name', 'createdOn', '-createdOn', 'critical', 'critical,-name'].map((sort) => ({ sort })),
      ...['query:test', 'tags:a', 'query:t,tags:a+b'].map((filter) => ({ filter })),
      ...[{}, { limit: 1, offset: 1 }],
    ]
    await steps.session.send('PATCH', '/projects/shop/environments/test', [
      replace('/approvalSettings/required', true),
      replace('/approvalSettings/requiredApprovalTags', ['a']),
    ])
    for (const request of environmentRequests) await steps.step('get-environments', request)
    steps.expectSuccess()
    expect(steps.count()).toBeGreaterThan(50)
  })

  it('changes each property of a flag', async () => {
    const { session } = steps
    const { items } = await session.send<{ items: { _id: string }[] }>('GET', '/members')
    await session.send('POST', '/teams', { key: 'core', name: 'Core' })
    await create({ key: 'f', name: 'F', variations: ['a', 'b', 'c'].map((value) => ({ value })) })
    await update('f', [
      [replace('/name', 'x'), replace('/description', ''), replace('/temporary', false), add('/tags/-', 'z')],
      [add('/maintainerTeamKey', 'core')],
      [add('/maintainerId', items[0]?._id)],
      [remove('/maintainerId')],
      [replace('/includeInSnippet', true)],
      [replace('/clientSideAvailability/usingMobileKey', false)],
      [add('/customProperties/issues', { name: 'Issues', value: ['1'] }), add('/customProperties/issues/value/-', '2')],
      [replace('/defaults/onVariation', 2)],
      [add('/variations/-', { value: 'd', name: 'D', description: 'last' }), replace('/variations/1/value', 'bb')],
      [add('/variations/0', { value: 'e' })],
      [remove('/variations/4')],
      [replace('/deprecated', true)],
      [replace('/archived', true)],
      [replace('/archived', false), replace('/deprecated', false)],
      [],
    ])
    for (const parameters of [{ dryRun: true }, { dryRun: false, ignoreConflicts: true }]) {
      const PatchWithComment = { comment: 'why', patch: [replace('/name', 'y')] }
      await steps.step('update-feature-flag', { featureFlagKey: 'f', ...parameters, PatchWithComment })
    }
    for (const request of [{}, { env: 'test' }])
      await steps.step('get-feature-flag', { featureFlagKey: 'f', ...request })
    steps.expectSuccess()
  })

  it('changes the targeting of a flag in each way', async () => {
    await create({ key: 'base', name: 'Base' })
    await create({
      key: 'm',
      name: 'M',
      purpose: 'migration',
      migrationSettings: { stageCount: 6, contextKind: 'user' },
    })
    await create({ key: 'f', name: 'F', variations: ['a', 'b'].map((value) => ({ value })) })
    await steps.session.send('POST', '/segments/shop/production', { key: 'beta', name: 'Beta' })
    const ops = ['in', 'endsWith', 'startsWith', 'matches', 'contains', 'segmentMatch', 'before', 'after', 'lessThan']
    const otherOps = ['lessThanOrEqual', 'greaterThan', 'greaterThanOrEqual', 'semVerEqual', 'semVerLessThan']
    await update('f', [
      [replace(`${config}/on`, true), replace(`${config}/offVariation`, 1), replace(`${config}/trackEvents`, true)],
      [replace(`${config}/fallthrough`, { rollout: rollout() })],
      [replace(`${config}/fallthrough`, { rollout: rollout({ bucketBy: 'email', contextKind: 'org', seed: 3 }) })],
      [replace(`${config}/fallthrough`, { variation: 0 }), replace(`${config}/trackEventsFallthrough`, true)],
      ...[...ops, ...otherOps, 'semVerGreaterThan'].map((op) => {
        const value = op.startsWith('semVer') ? '1.2.3' : op === 'segmentMatch' ? 'beta' : /Than/.test(op) ? 1.5 : 1e12
        const values = [typeof value === 'number' && /With|matches|contains/.test(op) ? 'x' : value]
        return [add(`${config}/rules/-`, { variation: 0, clauses: [{ attribute: 'x', op, values }] })]
      }),
      [
        add(`${config}/rules/0`, {
          rollout: rollout(),
          clauses: [clause({ contextKind: 'org' })],
          description: 'first',
        }),
      ],
      [add(`${config}/rules/0/clauses/-`, clause()), add(`${config}/rules/0/clauses/0/values/-`, 'fr')],
      [replace(`${config}/rules/0/clauses/0/op`, 'endsWith'), replace(`${config}/rules/0/clauses/0/negate`, true)],
      [replace(`${config}/rules/0/description`, 'other'), add(`${config}/rules/0/trackEvents`, true)],
      [add(`${config}/targets/-`, { values: ['ann'], variation: 0 }), add(`${config}/targets/0/values/-`, 'bob')],
      [add(`${config}/contextTargets/-`, { values: ['acme'], variation: 1, contextKind: 'org' })],
      [add(`${config}/prerequisites/-`, { key: 'base', variation: 0 })],
      [replace(`${config}/prerequisites/0/variation`, 1)],
      [{ op: 'test', path: `${config}/on`, value: true }, remove(`${config}/rules/0`)],
      [remove(`${config}/offVariation`)],
    ])
    await update('m', [
      [replace(`${config}/migrationSettings/checkRatio`, 3)],
      [replace(`${config}/fallthrough/rollout`, rollout({ contextKind: 'user' }))],
    ])
    for (const featureFlagKey of ['f', 'm']) await steps.step('get-feature-flag', { featureFlagKey })
    await steps.step('list-feature-flags', { env: 'production,test', summary: false })
    await steps.step('list-feature-flags', { env: 'production', summary: true })
    await steps.step('get-flag-status-across-environments', { featureFlagKey: 'f' })
    steps.expectSuccess()
  })
})
