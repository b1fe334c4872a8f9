import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { type EvaluationContext, OpenFeature } from '@openfeature/server-sdk'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createHalyardProvider } from './index.ts'
import { clause, openShop, place, turnOn } from './test/shop.ts'

const { as, client, create, engine, made, close } = await openShop()
afterAll(close)

describe('reasons', () => {
  const half = (ids: readonly [string, string]) => ({ rolloutWeights: { [ids[0]]: 50_000, [ids[1]]: 50_000 } })

  it('are SPLIT where a share of a rollout is served, by the default rule or by another', async () => {
    await made('rolled', (ids) => [{ kind: 'updateFallthroughVariationOrRollout', ...half(ids) }])
    await made('ruled', (ids) => [
      { kind: 'addRule', clauses: [clause({ attribute: 'plan', values: ['pro'] })], ...half(ids) },
    ])
    const ann = { targetingKey: 'ann' }
    const { value } = engine.evaluate('rolled', { kind: 'user', key: 'ann' }, false, place)
    expect(await client.getBooleanDetails('rolled', !value, ann)).toMatchObject({ value, reason: 'SPLIT' })
    const details = await client.getBooleanDetails('ruled', false, { ...ann, plan: 'pro' })
    expect(details).toMatchObject({ reason: 'SPLIT', flagMetadata: { ruleIndex: 0, ruleId: expect.any(String) } })
    expect(await client.getBooleanDetails('ruled', false, ann)).toMatchObject({ reason: 'DEFAULT' })
  })

  it('are an error where a rollout goes by a key that there is not, also behind a prerequisite', async () => {
    await made('base', (ids) => [{ kind: 'updateFallthroughVariationOrRollout', ...half(ids) }])
    const base = await engine.api.getFlag({ projectKey: 'shop', featureFlagKey: 'base' }, { as })
    await made('upon', () => [{ kind: 'addPrerequisite', key: 'base', variationId: base.variations[0]?._id }])
    for (const key of ['base', 'upon']) {
      expect(await client.getBooleanDetails(key, true, { plan: 'pro' })).toMatchObject({
        value: true,
        reason: 'ERROR',
        errorCode: 'TARGETING_KEY_MISSING',
      })
    }
    await made('by-plan', (ids) => [
      { kind: 'updateFallthroughVariationOrRollout', ...half(ids), rolloutBucketBy: 'plan' },
    ])
    expect(await client.getBooleanDetails('by-plan', true, { plan: 'pro' })).toMatchObject({ reason: 'SPLIT' })
  })

  it('are TARGETING_MATCH for those that a flag names, and DEFAULT behind a prerequisite that failed', async () => {
    await made('named', ([, second]) => [{ kind: 'addTargets', values: ['ann'], variationId: second }])
    expect(await client.getBooleanDetails('named', true, { targetingKey: 'ann' })).toMatchObject({
      value: false,
      variant: '1',
      reason: 'TARGETING_MATCH',
    })
    expect(await client.getBooleanDetails('named', false)).toMatchObject({ value: true, reason: 'DEFAULT' })
    await create('dark')
    const dark = await engine.api.getFlag({ projectKey: 'shop', featureFlagKey: 'dark' }, { as })
    await made('behind', () => [{ kind: 'addPrerequisite', key: 'dark', variationId: dark.variations[0]?._id }])
    expect(await client.getBooleanDetails('behind', true)).toMatchObject({
      value: false,
      reason: 'DEFAULT',
      flagMetadata: { prerequisiteKey: 'dark' },
    })
    expect(await client.getBooleanDetails('dark', true)).toMatchObject({ value: false, reason: 'DISABLED' })
  })
})

describe('contexts', () => {
  beforeAll(async () => {
    const rule = (...clauses: object[]) => ({ kind: 'addRule', clauses, variationId: 'no' })
    await made('contexts', ([, second]) =>
      [
        rule(clause({ values: ['ann'] })),
        rule(clause({ contextKind: 'org', values: ['acme'] })),
        rule(clause({ attribute: '/address/city', values: ['Rome'] })),
        rule(clause({ attribute: 'since', op: 'before', values: ['2026-01-01T00:00:00Z'] })),
        rule(clause({ contextKind: 'device', attribute: 'os', values: ['ios'] })),
      ].map((one) => ({ ...one, variationId: second })),
    )
  })

  it.each<[string, EvaluationContext, number]>([
    ['the targeting key is the key', { targetingKey: 'ann' }, 0],
    ['a key is one as well', { key: 'ann' }, 0],
    ['the targeting key comes before it', { targetingKey: 'ann', key: 'bob' }, 0],
    ['a kind has its key', { kind: 'org', targetingKey: 'acme' }, 1],
    ['objects are attributes', { targetingKey: 'bob', address: { city: 'Rome' } }, 2],
    ['objects are attributes without a key', { address: { city: 'Rome' } }, 2],
    ['dates are compared', { targetingKey: 'bob', since: new Date('2025-06-01') }, 3],
    ['of several kinds each has its key', { kind: 'multi', user: { targetingKey: 'bob' }, org: { key: 'acme' } }, 1],
    ['the targeting key is that of the user', { kind: 'multi', targetingKey: 'ann', user: {}, org: { key: 'x' } }, 0],
    ['several kinds without a user', { kind: 'multi', device: { targetingKey: 'd', os: 'ios' } }, 4],
  ])('%s', async (_, context, ruleIndex) => {
    const details = await client.getBooleanDetails('contexts', true, context)
    expect(details).toMatchObject({ value: false, reason: 'TARGETING_MATCH', flagMetadata: { ruleIndex } })
  })

  it.each<[EvaluationContext, string, string]>([
    [{ kind: 'org' }, 'TARGETING_KEY_MISSING', 'kind org must have a targeting key'],
    [{ kind: 'multi', user: { name: 'Ann' } }, 'TARGETING_KEY_MISSING', 'kind user must have a targeting key'],
    [{ kind: 7, targetingKey: 'ann' }, 'INVALID_CONTEXT', 'the kind of the context must be text'],
    [{ kind: 'a b', targetingKey: 'ann' }, 'INVALID_CONTEXT', 'is none'],
    [{ key: 7 }, 'INVALID_CONTEXT', 'the targeting key must be text'],
    [{ kind: 'multi', targetingKey: 'ann' }, 'INVALID_CONTEXT', 'must have one at least'],
    [{ kind: 'multi', plan: 'pro' }, 'INVALID_CONTEXT', 'kind plan must be an object'],
    [{ kind: 'multi', org: { key: 7 } }, 'INVALID_CONTEXT', 'the targeting key of kind org must be text'],
  ])('%j is %s', async (context, errorCode, message) => {
    const details = await client.getBooleanDetails('contexts', true, context)
    expect(details).toMatchObject({ value: true, reason: 'ERROR', errorCode })
    expect(details.errorMessage).toContain(message)
  })
})

it('looks big segments up, and again once they have changed', async () => {
  await engine.api.createSegment({ ...place, body: { key: 'big', name: 'Big', unbounded: true } }, { as })
  const change = (included: object) =>
    engine.api.updateBigSegmentTargets({ ...place, segmentKey: 'big', body: { included } as never }, { as })
  await change({ add: ['ann'], remove: [] })
  const inBig = [clause({ attribute: '', op: 'segmentMatch', values: ['big'] })]
  await made('listed', ([, second]) => [{ kind: 'addRule', clauses: inBig, variationId: second }])
  const details = () => client.getBooleanDetails('listed', true, { targetingKey: 'ann' })
  expect(await details()).toMatchObject({ value: false, flagMetadata: { bigSegmentsStatus: 'HEALTHY' } })
  await change({ add: [], remove: ['ann'] })
  expect(await details()).toMatchObject({ value: true, flagMetadata: { bigSegmentsStatus: 'HEALTHY' } })
})

it('names what a flag says of itself, numbers and truth values as such', async () => {
  const property = (...value: string[]) => ({ name: 'A property', value })
  const customProperties = { one: property('1.50'), two: property('-2.5e+30'), several: property('a', 'b') }
  await create('described', { customProperties: { ...customProperties, off: property('false'), id: property('007') } })
  expect((await client.getBooleanDetails('described', true)).flagMetadata).toEqual({
    one: '1.50',
    two: -2.5e30,
    several: 'a, b',
    off: false,
    id: '007',
  })
})

describe('an engine that counts evaluations', () => {
  it('counts each of the provider once, whatever it had to look at for it', async () => {
    const counting = createEngine({ storage: createMemoryStorage(), countEvaluations: true })
    onTestFinished(() => counting.close())
    const by = OpenFeature.getClient('counting')
    const admin = { as: (await counting.bootstrap())?.token as string }
    await counting.api.createProject({ body: { key: 'shop', name: 'Shop' } }, admin)
    await counting.api.createFlag({ projectKey: 'shop', body: { key: 'f', name: 'f' } }, admin)
    await counting.api.createSegment({ ...place, body: { key: 'big', name: 'Big', unbounded: true } }, admin)
    const { variations } = await counting.api.getFlag({ projectKey: 'shop', featureFlagKey: 'f' }, admin)
    const [on, off] = variations.map(({ _id }) => _id) as [string, string]
    const inBig = [clause({ attribute: '', op: 'segmentMatch', values: ['big'] })]
    const rolloutWeights = { [on]: 50_000, [off]: 50_000 }
    const rolled = { kind: 'updateFallthroughVariationOrRollout', rolloutWeights }
    const instructions = [turnOn, { kind: 'addRule', clauses: inBig, variationId: off }, rolled]
    const body = { environmentKey: 'production', instructions } as never
    await counting.api.patchFlag({ projectKey: 'shop', featureFlagKey: 'f', body }, admin)
    await OpenFeature.setProviderAndWait('counting', createHalyardProvider(counting, place))

    const { variant } = await by.getBooleanDetails('f', false, { targetingKey: 'ann' })
    // No key to place, another type, and no flag at all: the default three times, of which one is no flag's.
    await by.getBooleanDetails('f', false, { plan: 'pro' })
    await by.getStringDetails('f', 'no', { targetingKey: 'ann' })
    await by.getBooleanDetails('nothing', false, { targetingKey: 'ann' })
    await counting.sdk.flush()
    const counts = await counting.sdk.evaluations({ ...place, flagKey: 'f' })
    expect(counts.map((one) => [one.variation, one.count])).toEqual([
      [null, 2],
      [Number(variant), 1],
    ])
    expect(await counting.sdk.evaluations({ ...place, flagKey: 'nothing' })).toEqual([])
  })
})

it('tracks nothing, as there is nothing to track into', () => {
  expect(createHalyardProvider(engine, place).track).toBeUndefined()
  expect(() => client.track('bought', { targetingKey: 'ann' }, { value: 7 })).not.toThrow()
})

it('refuses an interval that is no time', () => {
  expect(() => createHalyardProvider(engine, place, { checkMs: -1 })).toThrow(/^checkMs/)
  expect(() => createHalyardProvider(engine, place, { checkMs: Number.NaN })).toThrow(RangeError)
})
