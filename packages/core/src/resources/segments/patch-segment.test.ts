import { describe, expect, it } from 'vitest'
import {
  allow,
  clause,
  editor,
  failureOf,
  keyList,
  keysOf,
  place,
  segmentAccount,
  semantic,
} from './test/segment-account.ts'

describe('a JSON Patch of a segment', () => {
  it('puts a rule at the head or at the end, and gives ids to what has none', async () => {
    const { create, patch } = await segmentAccount()
    await create('beta')
    const rule = (description: string) => ({ description, clauses: [clause()] })
    await patch('beta', [{ op: 'add', path: '/rules/-', value: rule('middle') }])
    await patch('beta', [{ op: 'add', path: '/rules/0', value: rule('first') }])
    const { rules } = await patch('beta', [{ op: 'add', path: '/rules/-', value: rule('last') }])
    expect(rules.map((one) => one.description)).toEqual(['first', 'middle', 'last'])
    const ids = rules.flatMap((one) => [one._id, ...one.clauses.map((inner) => inner._id)])
    expect(ids.every((id) => id.length > 0)).toBe(true)
    expect(new Set(ids).size).toBe(6)
  })

  it('keeps the ids of rules and clauses that it does not touch', async () => {
    const { create, patch } = await segmentAccount()
    await create('beta')
    const before = await patch('beta', [{ op: 'add', path: '/rules/-', value: { clauses: [clause()] } }])
    const after = await patch('beta', [{ op: 'add', path: '/rules/0/description', value: 'told' }])
    expect(after.rules).toEqual([{ ...before.rules[0], description: 'told' }])
  })

  it('takes a description away', async () => {
    const { create, get, patch } = await segmentAccount()
    await create('beta', { description: 'old' })
    await patch('beta', [{ op: 'remove', path: '/description' }])
    expect(Object.keys(await get('beta'))).not.toContain('description')
  })

  it('changes nothing, not even the version, where everything is so already', async () => {
    const { create, get, pass, patch } = await segmentAccount()
    await create('beta')
    const before = await get('beta')
    pass(1_000)
    expect(await patch('beta', [{ op: 'replace', path: '/name', value: 'beta' }])).toMatchObject({ version: 1 })
    expect(await get('beta')).toEqual(before)
  })

  it.each(['/key', '/version', '/_id', '/unbounded', '/generation', '/creationDate', '/_flags/-', '/holds', ''])(
    'may not touch %j',
    async (path) => {
      const { create, patch } = await segmentAccount()
      await create('beta')
      const failure = await failureOf(patch('beta', [{ op: 'replace', path, value: 'x' }]))
      expect(failure).toMatchObject({ code: 'invalid_request', errors: [{ attribute: '0.path' }] })
    },
  )

  it('is refused when a test does not hold, or the ETag is another', async () => {
    const { api, as, create, patch } = await segmentAccount()
    await create('beta')
    const test = patch('beta', [{ op: 'test', path: '/version', value: 7 }])
    expect(await failureOf(test)).toMatchObject({ code: 'optimistic_locking_error' })
    const stale = api.patchSegment({ ...keysOf('beta'), body: [] }, { as, ifMatch: '"7"' })
    expect(await failureOf(stale)).toMatchObject({ code: 'optimistic_locking_error' })
  })

  it('loses to nobody silently: of many at once one wins', async () => {
    const { create, get, patch } = await segmentAccount()
    await create('beta')
    const all = keyList(8).map((key) => patch('beta', [{ op: 'add', path: '/included/-', value: key }]))
    const outcomes = await Promise.allSettled(all)
    const won = outcomes.filter((one) => one.status === 'fulfilled').length
    const { included, version } = await get('beta')
    expect(included).toHaveLength(won)
    expect(version).toBe(1 + won)
    expect(won).toBeGreaterThan(0)
    const lost = outcomes.filter((one) => one.status === 'rejected').map((one) => one.reason.code)
    expect(new Set([...lost, 'optimistic_locking_error'])).toEqual(new Set(['optimistic_locking_error']))
  })
})

describe('what no change may leave behind', () => {
  const rule = (id: string, values: readonly string[] = []) => ({
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
    ['a key twice', 'excluded', { excluded: ['a', 'a'] }],
    ['an empty key', 'included.0', { included: [''] }],
    ['users among the contexts', 'includedContexts', { includedContexts: [{ contextKind: 'user', values: ['a'] }] }],
    [
      'a kind twice',
      'excludedContexts',
      { excludedContexts: ['a', 'b'].map((key) => ({ contextKind: 'org', values: [key] })) },
    ],
    ['two rules with one id', 'rules', { rules: [rule('r'), rule('r')] }],
    ['5,001 rules', 'rules', { rules: Array.from({ length: 5_001 }, (_, i) => rule(`r${i}`)) }],
    ['50,001 clause values', 'rules', { rules: [rule('r', keyList(25_000)), rule('q', keyList(25_001))] }],
    ['a weight above 100,000', 'rules.0.weight', { rules: [{ ...rule('r'), weight: 100_001 }] }],
    ['a weight below 0', 'rules.0.weight', { rules: [{ ...rule('r'), weight: -1 }] }],
    ['an unknown operator', 'rules.0.clauses.0.op', { rules: [{ clauses: [clause({ op: 'like' })] }] }],
    ['an unknown member of a rule', 'rules.0.colour', { rules: [{ clauses: [], colour: 'red' }] }],
    ['no name', 'name', { name: '' }],
  ])('%s', async (_, attribute, members) => {
    const { create, get, patch } = await segmentAccount()
    await create('beta')
    const operations = Object.entries(members).map(([name, value]) => ({ op: 'replace', path: `/${name}`, value }))
    const failure = await failureOf(patch('beta', operations))
    expect(failure).toMatchObject({ code: 'invalid_request', message: 'validation failed' })
    expect(failure.errors?.map((fault) => fault.attribute)).toContain(attribute)
    expect(await get('beta')).toMatchObject({ version: 1, included: [], rules: [] })
  })

  it.each([
    ['the same key of two kinds', { included: ['a'], excludedContexts: [{ contextKind: 'org', values: ['a'] }] }],
    ['5,000 rules', { rules: Array.from({ length: 5_000 }, (_, i) => rule(`r${i}`)) }],
    ['50,000 clause values', { rules: [rule('r', keyList(25_000)), rule('q', keyList(25_000))] }],
  ])('but %s is fine', async (_, members) => {
    const { create, patch } = await segmentAccount()
    await create('beta')
    const operations = Object.entries(members).map(([name, value]) => ({ op: 'replace', path: `/${name}`, value }))
    expect(await patch('beta', operations)).toMatchObject({ version: 2 })
  })
})

describe('a semantic patch of a segment', () => {
  it('needs the environment of the path', async () => {
    const { api, as, create } = await segmentAccount()
    await create('beta')
    for (const environmentKey of [undefined, 'test']) {
      const body = { environmentKey, instructions: [] }
      const failure = await failureOf(api.patchSegment({ ...keysOf('beta'), body }, { as }))
      expect(failure.errors?.map((fault) => fault.attribute)).toEqual(['environmentKey'])
    }
  })

  it('is announced by its media type; without it the body is no JSON Patch', async () => {
    const { create, send } = await segmentAccount()
    await create('beta')
    const body = { environmentKey: 'production', instructions: [{ kind: 'updateName', value: 'Beta' }] }
    const path = '/api/v2/segments/web/production/beta'
    expect((await send('PATCH', path, { body, 'content-type': 'application/json' })).status).toBe(400)
    const answer = await send('PATCH', path, { body, 'content-type': semantic })
    expect(answer).toMatchObject({ status: 200, headers: { etag: '"2"' } })
    expect(JSON.parse(answer.body as string)).toMatchObject({ name: 'Beta' })
  })

  it('follows instructions about rules', async () => {
    const { create, instruct } = await segmentAccount()
    await create('beta')
    const added = await instruct('beta', [
      { kind: 'addRule', clauses: [clause()], description: 'one' },
      { kind: 'addRule', clauses: [clause({ values: ['x'] })], description: 'two' },
      { kind: 'addRule', clauses: [] },
    ])
    const [one, two, three] = added.rules.map((rule) => rule._id) as [string, string, string]
    const [c1, c2] = [added.rules[0]!.clauses[0]!._id, added.rules[1]!.clauses[0]!._id]
    const { rules } = await instruct('beta', [
      { kind: 'removeRule', ruleId: three },
      { kind: 'removeRule', ruleId: three },
      { kind: 'reorderRules', ruleIds: [two, one] },
      { kind: 'updateRuleDescription', ruleId: one, description: 'first' },
      { kind: 'updateRuleRolloutAndContextKind', ruleId: one, weight: 5_000, contextKind: 'org' },
      { kind: 'addClauses', ruleId: one, clauses: [{ ...clause({ op: 'in' }), _id: 'mine' }] },
      { kind: 'removeClauses', ruleId: one, clauseIds: [c1, 'gone'] },
      { kind: 'addValuesToClause', ruleId: two, clauseId: c2, values: ['x', 'y', 'z'] },
      { kind: 'removeValuesFromClause', ruleId: two, clauseId: c2, values: ['x', 'gone'] },
      { kind: 'updateClause', ruleId: one, clauseId: 'mine', clause: clause({ op: 'contains', negate: true }) },
    ])
    expect(rules).toEqual([
      { _id: two, description: 'two', clauses: [{ ...clause({ values: ['y', 'z'] }), _id: c2 }] },
      {
        _id: one,
        description: 'first',
        weight: 5_000,
        rolloutContextKind: 'org',
        clauses: [{ ...clause({ op: 'contains', negate: true }), _id: 'mine' }],
      },
    ])
  })

  it('follows instructions about targets, users where no kind is named', async () => {
    const { create, instruct } = await segmentAccount()
    await create('beta')
    await instruct('beta', [
      { kind: 'addIncludedTargets', values: ['a', 'b'] },
      { kind: 'addIncludedUsers', values: ['b', 'c'] },
      { kind: 'addExcludedTargets', contextKind: 'user', values: ['d', 'e'] },
      { kind: 'addExcludedUsers', values: ['f'] },
      { kind: 'addIncludedTargets', contextKind: 'org', values: ['acme'] },
      { kind: 'addExcludedTargets', contextKind: 'org', values: ['evil', 'bad'] },
    ])
    const segment = await instruct('beta', [
      { kind: 'removeIncludedUsers', values: ['a'] },
      { kind: 'removeIncludedTargets', contextKind: 'org', values: ['acme'] },
      { kind: 'removeExcludedTargets', values: ['d'] },
      { kind: 'removeExcludedUsers', values: ['f', 'nobody'] },
      { kind: 'removeExcludedTargets', contextKind: 'org', values: ['bad'] },
    ])
    expect(segment).toMatchObject({
      included: ['b', 'c'],
      excluded: ['e'],
      includedContexts: [],
      excludedContexts: [{ contextKind: 'org', values: ['evil'] }],
    })
  })

  it('moves a key from one side to the other, but leaves it on none of both twice', async () => {
    const { create, get, instruct } = await segmentAccount()
    await create('beta')
    await instruct('beta', [{ kind: 'addIncludedUsers', values: ['a'] }])
    const both = await failureOf(instruct('beta', [{ kind: 'addExcludedUsers', values: ['a'] }]))
    expect(both).toMatchObject({ code: 'invalid_request', errors: [{ attribute: 'included' }] })
    await instruct('beta', [
      { kind: 'addExcludedUsers', values: ['a'] },
      { kind: 'removeIncludedUsers', values: ['a'] },
    ])
    expect(await get('beta')).toMatchObject({ included: [], excluded: ['a'] })
  })

  it('changes name and tags', async () => {
    const { create, instruct } = await segmentAccount()
    await create('beta', { tags: ['a', 'b'] })
    const instructions = [
      { kind: 'updateName', value: 'Beta' },
      { kind: 'addTags', values: ['b', 'c'] },
      { kind: 'removeTags', values: ['a', 'z'] },
    ]
    expect(await instruct('beta', instructions)).toMatchObject({ name: 'Beta', tags: ['b', 'c'], version: 2 })
    expect(await instruct('beta', instructions)).toMatchObject({ tags: ['b', 'c'], version: 2 })
  })

  it.each([
    ['instructions.1.kind', { kind: 'fly' }],
    ['instructions.1.ruleId', { kind: 'updateRuleDescription', ruleId: 'gone', description: '' }],
    ['instructions.1.ruleIds', { kind: 'reorderRules', ruleIds: ['gone'] }],
    ['instructions.1.clauseId', { kind: 'addValuesToClause', ruleId: 'r', clauseId: 'gone', values: [] }],
    ['instructions.1.weight', { kind: 'updateRuleRolloutAndContextKind', ruleId: 'r', weight: 100_001 }],
    ['instructions.1.kind', { kind: 'addBigSegmentIncludedTargets', values: ['a'] }],
    ['instructions.1.importId', { kind: 'processBigSegmentImport', importId: 'none' }],
    ['instructions.1.colour', { kind: 'updateName', value: 'Beta', colour: 'red' }],
  ])('names %s and does nothing of it: %j', async (attribute, instruction) => {
    const { create, get, instruct, patch } = await segmentAccount()
    await create('beta')
    await patch('beta', [{ op: 'add', path: '/rules/-', value: { _id: 'r', clauses: [clause()] } }])
    const failure = await failureOf(instruct('beta', [{ kind: 'updateName', value: 'Beta' }, instruction]))
    expect(failure).toMatchObject({ code: 'invalid_request', message: 'validation failed' })
    expect(failure.errors?.map((fault) => fault.attribute)).toEqual([attribute])
    expect(await get('beta')).toMatchObject({ name: 'beta', version: 2 })
  })

  it('names at most 1,500 keys', async () => {
    const { create, instruct } = await segmentAccount()
    await create('beta')
    const keys = keyList(1_501)
    const edits = (count: number) => [
      { kind: 'addIncludedUsers', values: keys.slice(0, 1_000) },
      { kind: 'addExcludedTargets', contextKind: 'org', values: keys.slice(1_000, count) },
    ]
    const failure = await failureOf(instruct('beta', edits(1_501)))
    expect(failure.errors).toEqual([{ attribute: 'instructions', reason: 'must name at most 1500 keys together' }])
    expect((await instruct('beta', edits(1_500))).included).toHaveLength(1_000)
  })

  it('makes no more tags than there may be', async () => {
    const { create, instruct } = await segmentAccount()
    await create('beta', { tags: keyList(1_000, 'tag') })
    const failure = await failureOf(instruct('beta', [{ kind: 'addTags', values: ['more'] }]))
    expect(failure).toMatchObject({ code: 'invalid_request', errors: [{ attribute: 'tags' }] })
  })
})

describe('who may change what of a segment (D17)', () => {
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

  it.each(aspects)('%s is needed for %j, and enough', async (action, operations) => {
    const { create, get, patch } = await segmentAccount()
    await create('beta')
    const others = aspects.map(([other]) => other).filter((other) => other !== action)
    expect(await failureOf(patch('beta', operations, editor(...others)))).toMatchObject({ code: 'forbidden' })
    expect((await get('beta')).version).toBe(1)
    expect(await patch('beta', operations, editor(action))).toMatchObject({ version: 2 })
  })

  it('refuses the whole of a patch for one aspect of it', async () => {
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

  it('can ask for tags, those from before the change', async () => {
    const { create, patch } = await segmentAccount()
    await create('mine', { tags: ['ours'] })
    await create('other')
    const policy = [
      allow(['viewProject'], ['proj/*']),
      allow(['updateName', 'updateTags'], ['proj/*:env/*:segment/*;ours']),
    ]
    const rename = [{ op: 'replace', path: '/name', value: 'New' }]
    expect(await patch('mine', rename, { policy })).toMatchObject({ name: 'New' })
    const grab = [...rename, { op: 'add', path: '/tags/-', value: 'ours' }]
    expect(await failureOf(patch('other', grab, { policy }))).toMatchObject({ code: 'forbidden' })
  })

  it('is told by _access', async () => {
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

it('wants a comment where the environment does, by either form, and only for what changes something', async () => {
  const { api, as, create, get } = await segmentAccount()
  await create('beta')
  const require = [{ op: 'replace', path: '/requireComments', value: true }]
  await api.patchEnvironment({ ...place, body: require }, { as })
  const rename = (value: string) => [{ op: 'replace', path: '/name', value }]
  const wanted = {
    code: 'invalid_request',
    errors: [{ attribute: 'comment', reason: expect.stringContaining('present') }],
  }
  const patch = (body: object) => api.patchSegment({ ...keysOf('beta'), body: body as never }, { as })
  const instructions = [{ kind: 'updateName', value: 'New' }]
  expect(await failureOf(patch(rename('New')))).toMatchObject(wanted)
  expect(await failureOf(patch({ comment: ' ', patch: rename('New') }))).toMatchObject(wanted)
  expect(await failureOf(patch({ environmentKey: 'production', instructions }))).toMatchObject(wanted)
  expect((await get('beta')).name).toBe('beta')
  expect(await patch(rename('beta'))).toMatchObject({ version: 1 })
  expect(await patch({ comment: 'why', patch: rename('One') })).toMatchObject({ name: 'One' })
  expect(await patch({ comment: 'why', environmentKey: 'production', instructions })).toMatchObject({ name: 'New' })
})
