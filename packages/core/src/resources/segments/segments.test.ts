import { describe, expect, it } from 'vitest'
import { allow, clause, editor, failureOf, keyList, keysOf, place, segmentAccount, semantic, start } from './test/segment-account.ts'

describe('getSegment', () => {
  it('shows a standard segment with every field of spec.md', async () => {
    const { create, get, patch, pass } = await segmentAccount()
    await create('beta', { name: 'Beta users', description: 'They asked for it', tags: ['beta', 'growth'] })
    pass(5_000)
    const rule = {
      _id: 'r-1',
      clauses: [{ ...clause(), _id: 'c-1' }],
      weight: 25_000,
      rolloutContextKind: 'org',
      bucketBy: 'country',
      description: 'Colleagues',
    }
    await patch('beta', [
      { op: 'add', path: '/rules/-', value: rule },
      { op: 'replace', path: '/included', value: ['ada', 'bob'] },
      { op: 'replace', path: '/excluded', value: ['eve'] },
      { op: 'replace', path: '/includedContexts', value: [{ contextKind: 'org', values: ['acme'] }] },
      { op: 'replace', path: '/excludedContexts', value: [{ contextKind: 'device', values: ['d1'] }] },
    ])
    const { _access, ...segment } = await get('beta')
    expect(segment).toEqual({
      name: 'Beta users',
      tags: ['beta', 'growth'],
      creationDate: String(start),
      lastModifiedDate: String(start + 5_000),
      key: 'beta',
      _links: {
        self: { href: '/api/v2/segments/web/production/beta', type: 'application/json' },
        parent: { href: '/api/v2/segments/web/production', type: 'application/json' },
      },
      rules: [rule],
      version: 2,
      deleted: false,
      generation: 1,
      description: 'They asked for it',
      included: ['ada', 'bob'],
      excluded: ['eve'],
      includedContexts: [{ contextKind: 'org', values: ['acme'] }],
      excludedContexts: [{ contextKind: 'device', values: ['d1'] }],
      _flags: [],
      unbounded: false,
    })
    expect(_access.denied).toEqual([])
    expect(_access.allowed.map((entry) => entry.action)).toContain('updateIncluded')
  })

  it('omits a description that was not provided', async () => {
    const { create, get } = await segmentAccount()
    await create('plain')
    const segment = await get('plain')
    expect(Object.keys(segment)).not.toContain('description')
    expect(segment).toMatchObject({ tags: [], rules: [], included: [], excluded: [] })
  })

  it('names the flags that target it, with their links and pages', async () => {
    const { api, as, create, get, instruct, target } = await segmentAccount()
    await create('beta')
    await target('checkout', 'beta')
    expect((await get('beta'))._flags).toEqual([
      {
        name: 'Flag checkout',
        key: 'checkout',
        _links: {
          self: { href: '/api/v2/flags/web/checkout', type: 'application/json' },
          parent: { href: '/api/v2/flags/web', type: 'application/json' },
        },
        _site: { href: '/web/production/features/checkout', type: 'text/html' },
      },
    ])
    const patched = await instruct('beta', [{ kind: 'updateName', value: 'Other' }])
    expect(Object.keys(patched)).not.toContain('_flags')
    const { items } = await api.listSegments(place, { as })
    expect(items.map((item) => '_flags' in item)).toEqual([false])
  })
})

describe('what getSegment answers over a transport', () => {
  const path = '/api/v2/segments/web/production/beta'

  it('is 200 with its version as ETag, and 304 to whoever has it', async () => {
    const { create, send } = await segmentAccount()
    await create('beta')
    const answer = await send('GET', path)
    expect(answer).toMatchObject({ status: 200, headers: { etag: '"1"', 'content-type': 'application/json' } })
    expect(JSON.parse(answer.body as string)).toMatchObject({ key: 'beta', creationDate: String(start) })
    expect((await send('GET', path, { 'if-none-match': '"1"' })).status).toBe(304)
  })

  it.each([
    ['unauthorized', 'a token that nobody was given', { authorization: 'api-unknown' }, path, 401],
    ['not_found', 'a segment that is not there', {}, '/api/v2/segments/web/production/gone', 404],
    ['not_found', 'an environment that is not there', {}, '/api/v2/segments/web/nowhere/beta', 404],
    ['not_found', 'a project that is not there', {}, '/api/v2/segments/gone/production/beta', 404],
    ['method_not_allowed', 'another method', { method: 'PUT' }, path, 405],
  ])('is %s for %s', async (code, _, given, where, status) => {
    const { create, send } = await segmentAccount()
    await create('beta')
    const { method = 'GET', ...headers } = given as { readonly method?: string }
    const answer = await send(method, where, headers)
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.body as string)).toMatchObject({ code })
  })

  it('hides from whoever may not view the project that the segment is there', async () => {
    const { api, create } = await segmentAccount()
    await create('beta')
    const stranger = { as: { policy: [allow(['viewProject'], ['proj/other'])] } }
    const denied = await failureOf(api.getSegment(keysOf('beta'), stranger))
    expect(denied).toEqual({ code: 'not_found', message: 'Invalid resource identifier' })
    expect(await failureOf(api.getSegment(keysOf('gone'), stranger))).toEqual(denied)
  })
})

describe('createSegment', () => {
  it('makes a standard segment, 201', async () => {
    const { send } = await segmentAccount()
    const body = { key: 'beta', name: 'Beta', tags: ['t'] }
    const answer = await send('POST', '/api/v2/segments/web/production', { body })
    expect(answer).toMatchObject({ status: 201, headers: { etag: '"1"' } })
    expect(JSON.parse(answer.body as string)).toMatchObject({ key: 'beta', name: 'Beta', tags: ['t'], unbounded: false, version: 1 })
  })

  it('refuses a second one under the same key', async () => {
    const { create } = await segmentAccount()
    await create('beta')
    const message = 'There is a segment beta already'
    expect(await failureOf(create('beta'))).toEqual({ code: 'optimistic_locking_error', message })
  })

  it('needs the environment', async () => {
    const { api, as } = await segmentAccount()
    const call = api.createSegment({ ...place, environmentKey: 'nowhere', body: { key: 'beta', name: 'B' } }, { as })
    expect(await failureOf(call)).toMatchObject({ code: 'not_found' })
  })

  it.each([
    ['key', {}],
    ['name', { name: '' }],
    ['key', { key: 'no spaces' }],
    ['tags', { tags: ['a', 'a'] }],
    ['included', { included: ['ada'] }],
    ['unboundedContextKind', { unboundedContextKind: 'org' }],
  ])('names %s when the body is wrong: %j', async (attribute, wrong) => {
    const { api, as } = await segmentAccount()
    const body = { name: 'Beta', ...(Object.keys(wrong).length > 0 ? { key: 'beta' } : {}), ...wrong }
    const failure = await failureOf(api.createSegment({ ...place, body: body as never }, { as }))
    expect(failure).toMatchObject({ code: 'invalid_request', message: 'validation failed' })
    expect(failure.errors?.map((fault) => fault.attribute)).toContain(attribute)
  })

  it('needs createSegment on the segment that the body names', async () => {
    const { api } = await segmentAccount()
    const by = (resource: string) => ({ as: { policy: [allow(['createSegment'], [resource])] } })
    const body = { key: 'beta', name: 'Beta' }
    const refused = api.createSegment({ ...place, body }, by('proj/web:env/production:segment/alpha'))
    expect(await failureOf(refused)).toMatchObject({ code: 'forbidden' })
    const made = await api.createSegment({ ...place, body }, by('proj/web:env/production:segment/be*'))
    expect(made.key).toBe('beta')
  })
})

describe('listSegments', () => {
  async function shelf() {
    const account = await segmentAccount()
    const { create, pass } = account
    await create('c', { name: 'Alpha', tags: ['web'] })
    pass(1)
    await create('b', { name: 'Gamma', tags: ['web', 'mobile'], description: 'phones' })
    pass(1)
    await create('a', { name: 'Beta', unbounded: true })
    pass(1)
    await account.patch('c', [{ op: 'add', path: '/description', value: 'first of all' }])
    const list = async (query: object) => {
      const answer = await account.api.listSegments({ ...place, ...query }, { as: account.as })
      return answer.items.map((item) => item.key)
    }
    return { ...account, list }
  }

  it.each([
    [undefined, ['c', 'a', 'b']],
    ['-name', ['b', 'a', 'c']],
    ['creationDate', ['c', 'b', 'a']],
    ['-creationDate', ['a', 'b', 'c']],
    ['lastModifiedDate', ['b', 'a', 'c']],
  ])('sorts by %s', async (sort, order) => {
    const { list } = await shelf()
    expect(await list({ sort })).toEqual(order)
  })

  it.each([
    ['query equals "PHONE"', ['b']],
    ['query equals alpha', ['c']],
    ['tags anyOf ["mobile", "none"]', ['b']],
    ['tags anyOf [web],unbounded equals false', ['c', 'b']],
    ['unbounded equals true', ['a']],
    ['external exists true', []],
    ['external exists false,query equals a', ['c', 'a', 'b']],
  ])('filters by %s', async (filter, order) => {
    const { list } = await shelf()
    expect(await list({ filter })).toEqual(order)
  })

  it('names the column where a filter is not understood', async () => {
    const { api, as } = await segmentAccount()
    const failure = await failureOf(api.listSegments({ ...place, filter: 'tags anyOf ["a"],colour equals red' }, { as }))
    expect(failure.errors).toEqual([
      { attribute: 'filter', reason: 'column 18: must be query, tags, unbounded, external' },
    ])
  })

  it('shows pages with their links', async () => {
    const { send } = await shelf()
    const answer = await send('GET', '/api/v2/segments/web/production?limit=1&offset=1&sort=-name')
    const { items, ...envelope } = JSON.parse(answer.body as string)
    const at = (offset: number) => ({
      href: `/api/v2/segments/web/production?sort=-name&limit=1&offset=${offset}`,
      type: 'application/json',
    })
    expect(items).toMatchObject([{ key: 'a' }])
    expect(envelope).toEqual({
      totalCount: 3,
      _links: {
        self: { href: '/api/v2/segments/web/production?limit=1&offset=1&sort=-name', type: 'application/json' },
        first: at(0),
        prev: at(0),
        next: at(2),
        last: at(2),
      },
    })
  })

  it.each([
    ['an environment that is not there', { environmentKey: 'nowhere' }, 'not_found'],
    ['an unknown order', { sort: 'colour' }, 'invalid_request'],
    ['a page that is too large', { limit: 101 }, 'invalid_request'],
  ])('refuses %s', async (_, query, code) => {
    const { api, as } = await segmentAccount()
    expect(await failureOf(api.listSegments({ ...place, ...query } as never, { as }))).toMatchObject({ code })
  })

  it('is refused to whoever may not view the project', async () => {
    const { api } = await segmentAccount()
    const as = { policy: [allow(['viewProject'], ['proj/other'])] }
    expect(await failureOf(api.listSegments(place, { as }))).toMatchObject({ code: 'forbidden' })
  })
})

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
  const rule = (id: string, values: readonly string[] = []) => ({ _id: id, clauses: [clause({ _id: `${id}-c`, values })] })

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
    const policy = [allow(['updateName', 'updateTags'], ['proj/*:env/*:segment/*;ours'])]
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
    const reason = { effect: 'allow', resources: ['proj/*:env/*:segment/*'], actions: ['updateRules'], role_name: 'policy' }
    expect(_access.allowed[0]?.reason).toEqual(reason)
  })
})

describe('deleteSegment', () => {
  it('is 204 without a body, and then it is gone', async () => {
    const { create, get, send } = await segmentAccount()
    await create('beta')
    const path = '/api/v2/segments/web/production/beta'
    expect(await send('DELETE', path)).toMatchObject({ status: 204, body: undefined })
    expect(await failureOf(get('beta'))).toMatchObject({ code: 'not_found' })
    expect((await send('DELETE', path)).status).toBe(404)
  })

  it('needs deleteSegment, and the ETag when one is sent', async () => {
    const { api, as, create } = await segmentAccount()
    await create('beta')
    const editing = api.deleteSegment(keysOf('beta'), { as: editor('update*') })
    expect(await failureOf(editing)).toMatchObject({ code: 'forbidden' })
    const stale = api.deleteSegment(keysOf('beta'), { as, ifMatch: '"9"' })
    expect(await failureOf(stale)).toMatchObject({ code: 'optimistic_locking_error' })
    await api.deleteSegment(keysOf('beta'), { as: editor('deleteSegment'), ifMatch: '"1"' })
  })

  it('is refused while flags target it', async () => {
    const { api, as, create, target } = await segmentAccount()
    await create('beta')
    await target('checkout', 'beta')
    const failure = await failureOf(api.deleteSegment(keysOf('beta'), { as }))
    expect(failure).toEqual({ code: 'optimistic_locking_error', message: 'Flags refer to this segment: checkout' })
    await api.deleteFlag({ projectKey: 'web', featureFlagKey: 'checkout' }, { as })
    await api.deleteSegment(keysOf('beta'), { as })
  })

  it('goes with its environment', async () => {
    const { api, as, create, get } = await segmentAccount()
    await create('beta')
    await api.deleteEnvironment(place, { as })
    expect(await failureOf(get('beta'))).toMatchObject({ code: 'not_found' })
  })
})

describe('segments that refer to segments (D24)', () => {
  const match = (...values: string[]) => [
    { op: 'replace', path: '/rules', value: [{ clauses: [clause({ op: 'segmentMatch', attribute: '', values })] }] },
  ]

  it('must all be in the environment', async () => {
    const { api, as, create, patch } = await segmentAccount()
    await create('a')
    await create('b')
    await api.createSegment({ ...place, environmentKey: 'test', body: { key: 'elsewhere', name: 'E' } }, { as })
    const failure = await failureOf(patch('a', match('b', 'elsewhere', 'gone')))
    expect(failure.errors?.map((fault) => fault.attribute)).toEqual([
      'rules.0.clauses.0.values.1',
      'rules.0.clauses.0.values.2',
    ])
    expect(await patch('a', match('b'))).toMatchObject({ version: 2 })
  })

  it('never form a circle, however long', async () => {
    const { create, patch } = await segmentAccount()
    for (const key of ['a', 'b', 'c', 'd']) await create(key)
    await patch('a', match('b', 'c'))
    await patch('b', match('c'))
    await patch('c', match('d'))
    for (const [key, named] of [['d', 'a'], ['d', 'd'], ['c', 'b']] as const) {
      const failure = await failureOf(patch(key, match(named)))
      const reason = 'must not lead back to the segment itself'
      expect(failure.errors).toEqual([{ attribute: 'rules', reason }])
    }
    await patch('a', match('d'))
    expect(await patch('b', match('a'))).toMatchObject({ key: 'b' })
  })

  it('never form a circle when both ends are tied at once', async () => {
    const { create, patch } = await segmentAccount()
    await create('a')
    await create('b')
    const outcomes = await Promise.allSettled([patch('a', match('b')), patch('b', match('a'))])
    expect(outcomes.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('cannot be deleted while they are referred to', async () => {
    const { api, as, create, patch } = await segmentAccount()
    for (const key of ['a', 'b', 'c']) await create(key)
    await patch('a', match('c'))
    await patch('b', match('c'))
    const failure = await failureOf(api.deleteSegment(keysOf('c'), { as }))
    const message = 'Segments refer to this segment: a, b'
    expect(failure).toEqual({ code: 'optimistic_locking_error', message })
    await patch('a', match())
    await patch('b', match())
    await api.deleteSegment(keysOf('c'), { as })
  })

  it('are not deleted while they get their first reference', async () => {
    const { api, as, create, get, patch } = await segmentAccount()
    await create('a')
    await create('b')
    await Promise.allSettled([patch('a', match('b')), api.deleteSegment(keysOf('b'), { as })])
    const { rules } = await get('a')
    const there = await get('b').then(() => true, () => false)
    expect(there).toBe(rules.length > 0)
  })
})
