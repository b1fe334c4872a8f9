import { describe, expect, it } from 'vitest'
import {
  allow,
  clause,
  editor,
  environmentKeys,
  failureOf,
  keyList,
  keysOf,
  segmentAccount,
} from './test/segment-account.ts'

describe('a JSON Patch of a segment', () => {
  it('adds rules at the start or the end, and generates missing ids', async () => {
    const { create, patch } = await segmentAccount()
    await create('beta')
    const rule = (description: string) => ({ description, clauses: [clause()] })
    await patch('beta', [{ op: 'add', path: '/rules/-', value: rule('middle') }])
    await patch('beta', [{ op: 'add', path: '/rules/0', value: rule('first') }])
    const { rules } = await patch('beta', [{ op: 'add', path: '/rules/-', value: rule('last') }])
    expect(rules.map((item) => item.description)).toEqual(['first', 'middle', 'last'])
    const ids = rules.flatMap((item) => [item._id, ...item.clauses.map((clauseOfRule) => clauseOfRule._id)])
    expect(ids.every((id) => id.length > 0)).toBe(true)
    expect(new Set(ids).size).toBe(6)
  })

  it('keeps the ids of unchanged rules and clauses', async () => {
    const { create, patch } = await segmentAccount()
    await create('beta')
    const before = await patch('beta', [{ op: 'add', path: '/rules/-', value: { clauses: [clause()] } }])
    const after = await patch('beta', [{ op: 'add', path: '/rules/0/description', value: 'told' }])
    expect(after.rules).toEqual([{ ...before.rules[0], description: 'told' }])
  })

  it('removes a description', async () => {
    const { create, get, patch } = await segmentAccount()
    await create('beta', { description: 'old' })
    await patch('beta', [{ op: 'remove', path: '/description' }])
    expect(Object.keys(await get('beta'))).not.toContain('description')
  })

  it('changes nothing, not even the version, when the segment already has the requested values', async () => {
    const { create, get, pass, patch } = await segmentAccount()
    await create('beta')
    const before = await get('beta')
    pass(1_000)
    expect(await patch('beta', [{ op: 'replace', path: '/name', value: 'beta' }])).toMatchObject({ version: 1 })
    expect(await get('beta')).toEqual(before)
  })

  it.each(['/key', '/version', '/_id', '/unbounded', '/generation', '/creationDate', '/_flags/-', '/holds', ''])(
    'rejects a change of %j',
    async (path) => {
      const { create, patch } = await segmentAccount()
      await create('beta')
      const failure = await failureOf(patch('beta', [{ op: 'replace', path, value: 'x' }]))
      expect(failure).toMatchObject({ code: 'invalid_request', errors: [{ attribute: '0.path' }] })
    },
  )

  it('fails when a test operation fails or If-Match names another revision', async () => {
    const { api, as, create, patch } = await segmentAccount()
    await create('beta')
    const test = patch('beta', [{ op: 'test', path: '/version', value: 7 }])
    expect(await failureOf(test)).toMatchObject({ code: 'optimistic_locking_error' })
    const stale = api.patchSegment({ ...keysOf('beta'), body: [] }, { as, ifMatch: '"7"' })
    expect(await failureOf(stale)).toMatchObject({ code: 'optimistic_locking_error' })
  })

  it('either succeeds or fails with optimistic_locking_error among concurrent patches', async () => {
    const { create, get, patch } = await segmentAccount()
    await create('beta')
    const patches = keyList(8).map((key) => patch('beta', [{ op: 'add', path: '/included/-', value: key }]))
    const outcomes = await Promise.allSettled(patches)
    const succeeded = outcomes.filter((item) => item.status === 'fulfilled').length
    const { included, version } = await get('beta')
    expect(included).toHaveLength(succeeded)
    expect(version).toBe(1 + succeeded)
    expect(succeeded).toBeGreaterThan(0)
    const errorCodes = outcomes.filter((item) => item.status === 'rejected').map((item) => item.reason.code)
    expect(new Set([...errorCodes, 'optimistic_locking_error'])).toEqual(new Set(['optimistic_locking_error']))
  })
})

describe('a patch of a segment rejects', () => {
  const rule = (id: string, values: readonly string[] = ['@example.com']) => ({
    _id: id,
    clauses: [clause({ _id: `${id}-c`, values })],
  })

  it.each([
    ['a user on both sides', 'included', { included: ['a', 'b'], excluded: ['b'] }],
    [
      'a context on both sides',
      'includedContexts.0.values',
      {
        includedContexts: [{ contextKind: 'org', values: ['a'] }],
        excludedContexts: [{ contextKind: 'org', values: ['a'] }],
      },
    ],
    ['a repeated key', 'excluded', { excluded: ['a', 'a'] }],
    ['an empty key', 'included.0', { included: [''] }],
    ['users among the contexts', 'includedContexts', { includedContexts: [{ contextKind: 'user', values: ['a'] }] }],
    [
      'a repeated context kind',
      'excludedContexts',
      { excludedContexts: ['a', 'b'].map((key) => ({ contextKind: 'org', values: [key] })) },
    ],
    ['two rules with the same id', 'rules', { rules: [rule('r'), rule('r')] }],
    ['5,001 rules', 'rules', { rules: Array.from({ length: 5_001 }, (_, i) => rule(`r${i}`)) }],
    ['50,001 clause values', 'rules', { rules: [rule('r', keyList(25_000)), rule('q', keyList(25_001))] }],
    ['a weight above 100,000', 'rules.0.weight', { rules: [{ ...rule('r'), weight: 100_001 }] }],
    ['a weight below 0', 'rules.0.weight', { rules: [{ ...rule('r'), weight: -1 }] }],
    ['an unknown operator', 'rules.0.clauses.0.op', { rules: [{ clauses: [clause({ op: 'like' })] }] }],
    ['an unknown property of a rule', 'rules.0.colour', { rules: [{ clauses: [], colour: 'red' }] }],
    ['no name', 'name', { name: '' }],
  ])('%s', async (_, attribute, properties) => {
    const { create, get, patch } = await segmentAccount()
    await create('beta')
    const operations = Object.entries(properties).map(([name, value]) => ({ op: 'replace', path: `/${name}`, value }))
    const failure = await failureOf(patch('beta', operations))
    expect(failure).toMatchObject({ code: 'invalid_request', message: 'validation failed' })
    expect(failure.errors?.map((error) => error.attribute)).toContain(attribute)
    expect(await get('beta')).toMatchObject({ version: 1, included: [], rules: [] })
  })

  it.each([
    ['the same key of two kinds', { included: ['a'], excludedContexts: [{ contextKind: 'org', values: ['a'] }] }],
    ['5,000 rules', { rules: Array.from({ length: 5_000 }, (_, i) => rule(`r${i}`)) }],
    ['50,000 clause values', { rules: [rule('r', keyList(25_000)), rule('q', keyList(25_000))] }],
  ])('accepts %s', async (_, properties) => {
    const { create, patch } = await segmentAccount()
    await create('beta')
    const operations = Object.entries(properties).map(([name, value]) => ({ op: 'replace', path: `/${name}`, value }))
    expect(await patch('beta', operations)).toMatchObject({ version: 2 })
  })
})

describe('the permissions to change a segment', () => {
  const aspects = [
    ['updateName', [{ op: 'replace', path: '/name', value: 'Beta' }]],
    ['updateDescription', [{ op: 'add', path: '/description', value: 'told' }]],
    ['updateTags', [{ op: 'add', path: '/tags/-', value: 't' }]],
    ['updateRules', [{ op: 'add', path: '/rules/-', value: { clauses: [] } }]],
    ['updateIncluded', [{ op: 'add', path: '/included/-', value: 'a' }]],
    ['updateIncluded', [{ op: 'add', path: '/includedContexts/-', value: { contextKind: 'org', values: ['a'] } }]],
    ['updateExcluded', [{ op: 'add', path: '/excluded/-', value: 'a' }]],
    ['updateExcluded', [{ op: 'add', path: '/excludedContexts/-', value: { contextKind: 'org', values: ['a'] } }]],
  ] as const

  it.each(aspects)('require %s for %j, and nothing else', async (action, operations) => {
    const { create, get, patch } = await segmentAccount()
    await create('beta')
    const others = aspects.map(([other]) => other).filter((other) => other !== action)
    expect(await failureOf(patch('beta', operations, editor(...others)))).toMatchObject({ code: 'forbidden' })
    expect((await get('beta')).version).toBe(1)
    expect(await patch('beta', operations, editor(action))).toMatchObject({ version: 2 })
  })

  it('reject a whole patch when one of its changes is not allowed', async () => {
    const { create, get, instruct } = await segmentAccount()
    await create('beta')
    const instructions = [
      { kind: 'updateName', value: 'Beta' },
      { kind: 'addIncludedUsers', values: ['a'] },
    ]
    const failure = await failureOf(instruct('beta', instructions, editor('updateIncluded')))
    expect(failure).toMatchObject({ code: 'forbidden' })
    expect(await get('beta')).toMatchObject({ name: 'beta', included: [] })
  })

  it('can depend on the tags that a segment had before the change', async () => {
    const { create, patch } = await segmentAccount()
    await create('mine', { tags: ['ours'] })
    await create('other')
    const policy = [
      allow(['viewProject'], ['proj/*']),
      allow(['updateName', 'updateTags'], ['proj/*:env/*:segment/*;ours']),
    ]
    const rename = [{ op: 'replace', path: '/name', value: 'New' }]
    expect(await patch('mine', rename, { policy })).toMatchObject({ name: 'New' })
    const addTag = [...rename, { op: 'add', path: '/tags/-', value: 'ours' }]
    expect(await failureOf(patch('other', addTag, { policy }))).toMatchObject({ code: 'forbidden' })
  })

  it('are listed in _access', async () => {
    const { api, create } = await segmentAccount()
    await create('beta')
    const { _access } = await api.getSegment(keysOf('beta'), { as: editor('updateRules') })
    expect(_access.allowed.map((entry) => entry.action)).toEqual(['updateRules'])
    const denied = _access.denied.map((entry) => entry.action)
    expect(denied).toEqual(expect.arrayContaining(['createSegment', 'deleteSegment', 'updateIncluded']))
    expect(_access.allowed[0]?.reason).toEqual({
      effect: 'allow',
      resources: ['proj/*:env/*:segment/*'],
      actions: ['updateRules'],
      role_name: 'policy',
    })
  })
})

it('a patch requires a comment when the environment requires one, in either format, but only when it changes something', async () => {
  const { api, as, create, get } = await segmentAccount()
  await create('beta')
  const requireComments = [{ op: 'replace', path: '/requireComments', value: true }]
  await api.patchEnvironment({ ...environmentKeys, body: requireComments }, { as })
  const rename = (value: string) => [{ op: 'replace', path: '/name', value }]
  const expected = {
    code: 'invalid_request',
    errors: [{ attribute: 'comment', reason: expect.stringContaining('present') }],
  }
  const patch = (body: object) => api.patchSegment({ ...keysOf('beta'), body: body as never }, { as })
  const instructions = [{ kind: 'updateName', value: 'New' }]
  expect(await failureOf(patch(rename('New')))).toMatchObject(expected)
  expect(await failureOf(patch({ comment: ' ', patch: rename('New') }))).toMatchObject(expected)
  expect(await failureOf(patch({ environmentKey: 'production', instructions }))).toMatchObject(expected)
  expect((await get('beta')).name).toBe('beta')
  expect(await patch(rename('beta'))).toMatchObject({ version: 1 })
  expect(await patch({ comment: 'why', patch: rename('One') })).toMatchObject({ name: 'One' })
  expect(await patch({ comment: 'why', environmentKey: 'production', instructions })).toMatchObject({ name: 'New' })
})
