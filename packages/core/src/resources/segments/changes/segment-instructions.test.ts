import { describe, expect, it } from 'vitest'
import { clause, failureOf, keyList, keysOf, segmentAccount, semanticPatchType } from '../test/segment-account.ts'

describe('a semantic patch of a segment', () => {
  it('requires the environment of the path', async () => {
    const { api, as, create } = await segmentAccount()
    await create('beta')
    for (const environmentKey of [undefined, 'test']) {
      const body = { environmentKey, instructions: [] }
      const failure = await failureOf(api.patchSegment({ ...keysOf('beta'), body }, { as }))
      expect(failure.errors?.map((error) => error.attribute)).toEqual(['environmentKey'])
    }
  })

  it('is recognized by its media type; otherwise the body is an invalid JSON Patch', async () => {
    const { create, send } = await segmentAccount()
    await create('beta')
    const body = { environmentKey: 'production', instructions: [{ kind: 'updateName', value: 'Beta' }] }
    const path = '/api/v2/segments/web/production/beta'
    expect((await send('PATCH', path, { body, 'content-type': 'application/json' })).status).toBe(400)
    const response = await send('PATCH', path, { body, 'content-type': semanticPatchType })
    expect(response).toMatchObject({ status: 200, headers: { etag: '"2"' } })
    expect(JSON.parse(response.body as string)).toMatchObject({ name: 'Beta' })
  })

  it('applies instructions about rules', async () => {
    const { create, instruct } = await segmentAccount()
    await create('beta')
    const added = await instruct('beta', [
      { kind: 'addRule', clauses: [clause()], description: 'one' },
      { kind: 'addRule', clauses: [clause({ values: ['x'] })], description: 'two' },
      { kind: 'addRule', clauses: [] },
    ])
    const [first, second, third] = added.rules.map((rule) => rule._id) as [string, string, string]
    const [c1, c2] = [added.rules[0]!.clauses[0]!._id, added.rules[1]!.clauses[0]!._id]
    const { rules } = await instruct('beta', [
      { kind: 'removeRule', ruleId: third },
      { kind: 'removeRule', ruleId: third },
      { kind: 'reorderRules', ruleIds: [second, first] },
      { kind: 'updateRuleDescription', ruleId: first, description: 'first' },
      { kind: 'updateRuleRolloutAndContextKind', ruleId: first, weight: 5_000, contextKind: 'org' },
      { kind: 'addClauses', ruleId: first, clauses: [{ ...clause({ op: 'in' }), _id: 'mine' }] },
      { kind: 'removeClauses', ruleId: first, clauseIds: [c1, 'gone'] },
      { kind: 'addValuesToClause', ruleId: second, clauseId: c2, values: ['x', 'y', 'z'] },
      { kind: 'removeValuesFromClause', ruleId: second, clauseId: c2, values: ['x', 'gone'] },
      { kind: 'updateClause', ruleId: first, clauseId: 'mine', clause: clause({ op: 'contains', negate: true }) },
    ])
    expect(rules).toEqual([
      { _id: second, description: 'two', clauses: [{ ...clause({ values: ['y', 'z'] }), _id: c2 }] },
      {
        _id: first,
        description: 'first',
        weight: 5_000,
        rolloutContextKind: 'org',
        clauses: [{ ...clause({ op: 'contains', negate: true }), _id: 'mine' }],
      },
    ])
  })

  it('applies instructions about targets, for users by default', async () => {
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

  it('moves a key from one list to the other, and rejects a key in both lists', async () => {
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
  ])('reports %s and changes nothing: %j', async (attribute, instruction) => {
    const { create, get, instruct, patch } = await segmentAccount()
    await create('beta')
    await patch('beta', [{ op: 'add', path: '/rules/-', value: { _id: 'r', clauses: [clause()] } }])
    const failure = await failureOf(instruct('beta', [{ kind: 'updateName', value: 'Beta' }, instruction]))
    expect(failure).toMatchObject({ code: 'invalid_request', message: 'validation failed' })
    expect(failure.errors?.map((error) => error.attribute)).toEqual([attribute])
    expect(await get('beta')).toMatchObject({ name: 'beta', version: 2 })
  })

  it('rejects more than 1,500 keys', async () => {
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

  it('rejects more tags than the maximum', async () => {
    const { create, instruct } = await segmentAccount()
    await create('beta', { tags: keyList(1_000, 'tag') })
    const failure = await failureOf(instruct('beta', [{ kind: 'addTags', values: ['more'] }]))
    expect(failure).toMatchObject({ code: 'invalid_request', errors: [{ attribute: 'tags' }] })
  })
})
