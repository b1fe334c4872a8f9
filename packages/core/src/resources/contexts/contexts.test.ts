import { describe, expect, it } from 'vitest'
import { engineRequest, failureOf } from '../account/test/calls.ts'
import { ann, bob, both, day, device, environment, web } from './test/seen-contexts.ts'

describe('contexts', () => {
  it('are found after an SDK has reported them, each with the attributes of the latest report', async () => {
    const { api, report, identify, find, advance } = await web()
    expect(await report({ kind: 'index', context: ann }, { kind: 'index', context: both })).toBe(202)
    advance(1_000)
    expect(await identify({ ...bob, country: 'ch' })).toBe(202)
    expect(await find()).toMatchObject(['user:bob', expect.any(String), expect.any(String)])
    expect((await find()).sort()).toEqual(['device:p1', 'user:ann', 'user:bob'])
    const { items } = await api.getContexts({ ...environment, kind: 'user', key: 'bob' })
    expect(items.map(({ context }) => context)).toEqual([{ ...bob, country: 'ch' }])
    advance(1_000)
    await identify(bob)
    expect(await find('user.country equals at')).toEqual(['user:bob'])
    expect(await find('user.country equals ch')).toEqual([])
  })

  it('are stored for the first 100 contexts of a report; the others are stored when they are reported again', async () => {
    const { api, report } = await web()
    const events = Array.from({ length: 150 }, (_, n) => ({
      kind: 'index',
      context: { kind: 'user', key: `user-${n}` },
    }))
    const count = async () => (await api.searchContexts({ ...environment, body: {} })).totalCount
    await report(...events)
    expect(await count()).toBe(100)
    await report(...events.slice(100))
    expect(await count()).toBe(150)
  })

  it('are not stored by evaluations in this process, not even by evaluations that are part of an experiment', async () => {
    const { engine, api, find } = await web()
    const flag = await api.createFlag({ projectKey: 'web', body: { key: 'pay', name: 'Pay' } })
    const [targetVariationId = '', originalVariationId = ''] = flag.variations.map(({ _id }) => _id)
    await api.postMetric({
      projectKey: 'web',
      body: {
        key: 'paid',
        name: 'Paid',
        kind: 'custom',
        eventKey: 'paid',
        isNumeric: false,
        successCriteria: 'HigherThanBaseline',
      } as never,
    })
    const stages = [{ allocation: 50_000, durationMillis: day }]
    const release = {
      releaseKind: 'guarded',
      metrics: [{ key: 'paid' }],
      stages,
      originalVariationId,
      targetVariationId,
    }
    const instructions = [{ kind: 'turnFlagOn' }, { kind: 'startAutomatedRelease', ...release }]
    await api.patchFlag({
      projectKey: 'web',
      flagKey: 'pay',
      body: { environmentKey: 'production', instructions } as never,
    })
    const evaluator = engine.evaluator(environment)
    await evaluator.ready()
    expect(evaluator.evaluate('pay', ann, false).reason).toMatchObject({ inExperiment: true })
    await engine.sdk.flush()
    expect(await find()).toEqual([])
  })

  it('are found after a client of OFREP has evaluated flags for them', async () => {
    const { engine, api, find, instances } = await web()
    const { _id } = await api.getEnvironment(environment)
    const body = { context: { targetingKey: 'ann', country: 'de' } }
    const headers = { authorization: _id }
    const response = await engine.sdk.handle(engineRequest('POST', '/ofrep/v1/evaluate/flags', body, headers))
    expect(response?.status).toBe(200)
    expect(await find('user.country equals de')).toEqual(['user:ann'])
    expect(await instances()).toHaveLength(1)
  })

  it('are stored without their anonymous parts', async () => {
    const { see, find, instances } = await web()
    await see(
      { ...ann, anonymous: true },
      { kind: 'multi', user: { key: 'x', anonymous: true }, device: { key: 'p2' } },
    )
    expect(await find()).toEqual(['device:p2'])
    expect(await instances()).toMatchObject([{ context: { kind: 'device', key: 'p2' }, anonymousKinds: ['user'] }])
  })

  it('are stored with their keys but without attributes when they are too large or have characters that no database stores', async () => {
    const { report, find, api } = await web()
    const contexts = [
      { ...ann, text: 'x'.repeat(9_000) },
      { ...bob, note: 'a\u0000b' },
      { kind: 'user', key: 'a\u0000b' },
      { kind: 'user', key: 'k'.repeat(300) },
    ]
    await report(...contexts.map((context) => ({ kind: 'index', context })))
    expect((await find()).sort()).toEqual(['user:ann', 'user:bob'])
    for (const { key, name } of [ann, bob]) {
      const { items } = await api.getContexts({ ...environment, kind: 'user', key })
      expect(items.map(({ context }) => context)).toEqual([{ kind: 'user', key, name }])
    }
  })

  it.each([
    ['', ['device:p1', 'user:ann', 'user:bob']],
    ['kind equals device', ['device:p1']],
    ['kind notEquals device', ['user:ann', 'user:bob']],
    ['key startsWith a', ['user:ann']],
    ['key contains "O"', ['user:bob']],
    ['name startsWith smith', []],
    ['name contains smith', ['user:ann']],
    ['kindKeys anyOf ["user:bob", "device:p1"]', ['device:p1', 'user:bob']],
    ['user.country anyOf [at, ch]', ['user:bob']],
    ['user.groups equals staff', ['user:ann']],
    ['user.level equals 3', ['user:ann']],
    ['device.model exists true | user.level exists true', ['device:p1', 'user:ann']],
    ['kind equals user, (user.country equals at | user.country equals de)', ['user:ann', 'user:bob']],
    ['user.country notEquals de', ['device:p1', 'user:bob']],
    ['query equals p1', ['device:p1']],
  ])('are searched by the filter %j', async (filter, expected) => {
    const { see, find } = await web()
    await see(ann, bob, device)
    expect((await find(filter)).sort()).toEqual(expected)
  })

  it('are searched page by page, by query or by body; the next page is requested with the same body', async () => {
    const { see, api } = await web()
    await see(ann, bob, device)
    const body = { limit: 2, sort: 'ts' } as const
    const first = await api.searchContexts({ ...environment, body })
    expect([first.items.length, first.totalCount, first.continuationToken]).toEqual([2, 3, '2'])
    const { continuationToken } = Object.fromEntries(new URL(first._links.next?.href ?? '', 'http://h').searchParams)
    const last = await api.searchContexts({ ...environment, continuationToken: continuationToken ?? '', body })
    expect([last.items.length, last.continuationToken, last._links.next]).toEqual([1, undefined, undefined])
    const failure = await failureOf(api.searchContexts({ ...environment, limit: 2, body }))
    expect(failure.errors).toEqual([{ attribute: 'limit', reason: 'must not be in both the query and the body' }])
  })

  it('are deleted with the combination that contains them, unless another combination contains them too', async () => {
    const { see, find, instances, api } = await web()
    await see(ann, both)
    const [instance] = await instances('kinds equals device')
    await api.deleteContextInstances({ ...environment, id: instance?.id ?? '' })
    expect(await find()).toEqual(['user:ann'])
    expect((await instances()).map(({ context }) => context)).toEqual([ann])
    const { items } = await api.listChangeLog({ limit: 1 })
    expect(items[0]?.title).toContain('removed')
    const deletedInstance = api.getContextInstances({ ...environment, id: instance?.id ?? '' })
    expect(await failureOf(deletedInstance)).toMatchObject({ code: 'not_found' })
    expect(await failureOf(api.deleteContextInstances({ ...environment, id: instance?.id ?? '' }))).toMatchObject({
      code: 'not_found',
    })
  })

  it('are deleted when they were not used for thirty days', async () => {
    const { engine, see, find, instances, advance } = await web()
    await see(ann)
    advance(29 * day)
    await see(bob)
    advance(2 * day)
    await engine.compact()
    expect(await find()).toEqual(['user:bob'])
    expect(await instances()).toHaveLength(1)
  })
})

describe('attributes of contexts', () => {
  it('are counted by name, including private attributes that an SDK omitted', async () => {
    const { see, api } = await web()
    await see(ann, bob, device, { kind: 'user', key: 'cid', _meta: { redactedAttributes: ['email'] } })
    const { items } = await api.getContextAttributeNames({
      ...environment,
      filter: 'kind equals user, name startsWith C',
    })
    expect(items).toEqual([{ kind: 'user', names: [{ name: 'country', weight: 2 }] }])
    const { items: all } = await api.getContextAttributeNames(environment)
    expect(all.map(({ kind }) => kind)).toEqual(['device', 'user'])
    expect(all[1]?.names.slice(0, 2)).toEqual([
      { name: 'key', weight: 3 },
      { name: 'country', weight: 2 },
    ])
    expect(all[1]?.names).toContainEqual({ name: 'email', weight: 1, redacted: true })
  })

  it('are counted by value, each element of a list by itself', async () => {
    const { see, api } = await web()
    await see(ann, { ...bob, groups: ['staff'] })
    const query = { ...environment, attributeName: 'groups' }
    expect((await api.getContextAttributeValues(query)).items).toEqual([
      {
        kind: 'user',
        values: [
          { name: 'staff', weight: 2 },
          { name: 'beta', weight: 1 },
        ],
      },
    ])
    expect((await api.getContextAttributeValues({ ...query, filter: 'value startsWith b' })).items).toEqual([
      { kind: 'user', values: [{ name: 'beta', weight: 1 }] },
    ])
  })
})

describe('an evaluation for a context', () => {
  it('returns the same values as an evaluator of the environment, and stores nothing', async () => {
    const { api, engine, find } = await web()
    const project = { projectKey: 'web' }
    for (const key of ['off', 'on', 'listed', 'by-segment', 'archived']) {
      await api.createFlag({ ...project, body: { key, name: key, tags: [key] } })
    }
    await api.createSegment({ ...environment, body: { key: 'staff', name: 'Staff' } })
    const included = [{ kind: 'addIncludedTargets', contextKind: 'user', values: ['ann'] }]
    const inProduction = (instructions: readonly object[]) => ({ environmentKey: 'production', instructions }) as never
    await api.patchSegment({ ...environment, segmentKey: 'staff', body: inProduction(included) })
    const { variations } = await api.getFlag({ ...project, flagKey: 'listed' })
    const [yes, no] = (variations ?? []).map(({ _id }) => _id)
    const target = [
      { kind: 'turnFlagOn' },
      { kind: 'addTargets', contextKind: 'user', values: ['ann'], variationId: no },
    ]
    await api.patchFlag({ ...project, flagKey: 'on', body: inProduction([{ kind: 'turnFlagOn' }]) })
    await api.patchFlag({ ...project, flagKey: 'listed', body: inProduction(target) })
    const { variations: ofSegment } = await api.getFlag({ ...project, flagKey: 'by-segment' })
    const clauses = [{ attribute: '', op: 'segmentMatch', values: ['staff'], negate: false }]
    const rule = { kind: 'addRule', clauses, variationId: ofSegment?.[1]?._id }
    await api.patchFlag({ ...project, flagKey: 'by-segment', body: inProduction([{ kind: 'turnFlagOn' }, rule]) })
    await api.patchFlag({ ...project, flagKey: 'archived', body: { instructions: [{ kind: 'archiveFlag' }] } as never })
    expect(yes).toBeDefined()
    const { items } = await api.evaluateContextInstance({ ...environment, body: ann })
    const evaluator = engine.evaluator(environment)
    await evaluator.ready()
    expect(Object.fromEntries(items.map(({ key, _value, reason }) => [key, [_value, reason.kind]]))).toEqual({
      off: [false, 'OFF'],
      on: [true, 'FALLTHROUGH'],
      listed: [false, 'TARGET_MATCH'],
      'by-segment': [false, 'RULE_MATCH'],
    })
    for (const { key, _value } of items) expect(evaluator.peek(key, ann, undefined).value).toEqual(_value)
    const one = await api.evaluateContextInstance({ ...environment, filter: 'tags contains [on]', limit: 1, body: bob })
    expect(one.items.map(({ key, _value }) => [key, _value])).toEqual([['on', true]])
    expect(await find()).toEqual([])
  })

  it('lists segments with the reason of the membership', async () => {
    const { api } = await web()
    const segment = (key: string) => ({ ...environment, body: { key, name: key } })
    for (const key of ['listed', 'ruled', 'other']) await api.createSegment(segment(key))
    const big = { key: 'big', name: 'Big', unbounded: true, unboundedContextKind: 'user' }
    await api.createSegment({ ...environment, body: big })
    const patch = (segmentKey: string, instruction: object) =>
      api.patchSegment({
        ...environment,
        segmentKey,
        body: { environmentKey: 'production', instructions: [instruction] } as never,
      })
    await patch('listed', { kind: 'addIncludedTargets', contextKind: 'user', values: ['ann'] })
    const clauses = [{ contextKind: 'user', attribute: 'country', op: 'in', values: ['de'], negate: false }]
    await patch('ruled', { kind: 'addRule', clauses })
    const members = { included: { add: ['ann'] } }
    await api.updateBigSegmentContextTargets({ ...environment, segmentKey: 'big', body: members as never })
    const { items } = await api.getContextInstanceSegmentsMembershipByEnv({ ...environment, body: ann })
    expect(
      items.map(({ key, isMember, isIndividuallyTargeted, isRuleTargeted }) => [
        key,
        isMember,
        isIndividuallyTargeted,
        isRuleTargeted,
      ]),
    ).toEqual([
      ['big', true, true, false],
      ['listed', true, true, false],
      ['other', false, false, false],
      ['ruled', true, false, true],
    ])
  })

  it.each([{}, { kind: 'user' }, { kind: 'a b', key: 'x' }, { kind: 'multi' }])('refuses %j', async (context) => {
    const { api } = await web()
    const failure = await failureOf(api.evaluateContextInstance({ ...environment, body: context as never }))
    expect(failure).toMatchObject({ code: 'invalid_request' })
  })
})
