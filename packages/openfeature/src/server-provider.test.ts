import { createEngine } from '@halyard/core'
import { createEngineOf, createProject, evaluators, sdkEndpoints } from '@halyard/core/operations'
import { createMemoryStorage } from '@halyard/storage-memory'
import { type EvaluationContext, OpenFeature, ProviderEvents } from '@openfeature/server-sdk'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createHalyardProvider } from './index.ts'
import { passesErrorMessages } from './test/passes-error-messages.ts'
import { clause, environment, openShop, turnOn } from './test/shop.ts'

const { as, client, create, engine, createOn, close } = await openShop()
afterAll(close)

describe('the reason of an evaluation', () => {
  const half = (ids: readonly [string, string]) => ({ rolloutWeights: { [ids[0]]: 50_000, [ids[1]]: 50_000 } })

  it('is SPLIT when a rollout selects the variation, in the default rule or another rule', async () => {
    await createOn('rolled', (ids) => [{ kind: 'updateFallthroughVariationOrRollout', ...half(ids) }])
    await createOn('ruled', (ids) => [
      { kind: 'addRule', clauses: [clause({ attribute: 'plan', values: ['pro'] })], ...half(ids) },
    ])
    const ann = { targetingKey: 'ann' }
    const { value } = engine.evaluate('rolled', { kind: 'user', key: 'ann' }, false, environment)
    expect(await client.getBooleanDetails('rolled', !value, ann)).toMatchObject({ value, reason: 'SPLIT' })
    const details = await client.getBooleanDetails('ruled', false, { ...ann, plan: 'pro' })
    expect(details).toMatchObject({ reason: 'SPLIT', flagMetadata: { ruleIndex: 0, ruleId: expect.any(String) } })
    expect(await client.getBooleanDetails('ruled', false, ann)).toMatchObject({ reason: 'DEFAULT' })
  })

  it('is ERROR when a rollout by key gets no key, also in a prerequisite', async () => {
    await createOn('base', (ids) => [{ kind: 'updateFallthroughVariationOrRollout', ...half(ids) }])
    const base = await engine.api.getFlag({ projectKey: 'shop', flagKey: 'base' }, { as })
    await createOn('dependent', () => [{ kind: 'addPrerequisite', key: 'base', variationId: base.variations[0]?._id }])
    for (const key of ['base', 'dependent']) {
      expect(await client.getBooleanDetails(key, true, { plan: 'pro' })).toMatchObject({
        value: true,
        reason: 'ERROR',
        errorCode: 'TARGETING_KEY_MISSING',
      })
    }
    await createOn('by-plan', (ids) => [
      { kind: 'updateFallthroughVariationOrRollout', ...half(ids), rolloutBucketBy: 'plan' },
    ])
    expect(await client.getBooleanDetails('by-plan', true, { plan: 'pro' })).toMatchObject({ reason: 'SPLIT' })
  })

  it('is TARGETING_MATCH for a target, and DEFAULT when a prerequisite is not met', async () => {
    await createOn('named', ([, second]) => [{ kind: 'addTargets', values: ['ann'], variationId: second }])
    expect(await client.getBooleanDetails('named', true, { targetingKey: 'ann' })).toMatchObject({
      value: false,
      variant: '1',
      reason: 'TARGETING_MATCH',
    })
    expect(await client.getBooleanDetails('named', false)).toMatchObject({ value: true, reason: 'DEFAULT' })
    await create('dark')
    const dark = await engine.api.getFlag({ projectKey: 'shop', flagKey: 'dark' }, { as })
    await createOn('behind', () => [{ kind: 'addPrerequisite', key: 'dark', variationId: dark.variations[0]?._id }])
    expect(await client.getBooleanDetails('behind', true)).toMatchObject({
      value: false,
      reason: 'DEFAULT',
      flagMetadata: { prerequisiteKey: 'dark' },
    })
    expect(await client.getBooleanDetails('dark', true)).toMatchObject({ value: false, reason: 'DISABLED' })
  })
})

describe('an evaluation context', () => {
  beforeAll(async () => {
    const rule = (...clauses: object[]) => ({ kind: 'addRule', clauses, variationId: 'no' })
    await createOn('contexts', ([, second]) =>
      [
        rule(clause({ values: ['ann'] })),
        rule(clause({ contextKind: 'org', values: ['acme'] })),
        rule(clause({ attribute: '/address/city', values: ['Rome'] })),
        rule(clause({ attribute: 'since', op: 'before', values: ['2026-01-01T00:00:00Z'] })),
        rule(clause({ contextKind: 'device', attribute: 'os', values: ['ios'] })),
      ].map((instruction) => ({ ...instruction, variationId: second })),
    )
  })

  it.each<[string, EvaluationContext, number]>([
    ['has the key of `targetingKey`', { targetingKey: 'ann' }, 0],
    ['has the key of `key`', { key: 'ann' }, 0],
    ['prefers `targetingKey` to `key`', { targetingKey: 'ann', key: 'bob' }, 0],
    ['may have another kind', { kind: 'org', targetingKey: 'acme' }, 1],
    ['may have objects as attributes', { targetingKey: 'bob', address: { city: 'Rome' } }, 2],
    ['may have no key', { address: { city: 'Rome' } }, 2],
    ['may have dates', { targetingKey: 'bob', since: new Date('2025-06-01') }, 3],
    [
      'may be a multi-context with a key in each context',
      { kind: 'multi', user: { targetingKey: 'bob' }, org: { key: 'acme' } },
      1,
    ],
    [
      'may be a multi-context with the key of the user',
      { kind: 'multi', targetingKey: 'ann', user: {}, org: { key: 'x' } },
      0,
    ],
    ['may be a multi-context without a user', { kind: 'multi', device: { targetingKey: 'd', os: 'ios' } }, 4],
  ])('%s', async (_, context, ruleIndex) => {
    const details = await client.getBooleanDetails('contexts', true, context)
    expect(details).toMatchObject({ value: false, reason: 'TARGETING_MATCH', flagMetadata: { ruleIndex } })
  })

  it.each<[EvaluationContext, string, string]>([
    [{ kind: 'org' }, 'TARGETING_KEY_MISSING', 'the org context must have a `targetingKey`'],
    [{ kind: 'multi', user: { name: 'Ann' } }, 'TARGETING_KEY_MISSING', 'the user context must have a `targetingKey`'],
    [{ kind: 7, targetingKey: 'ann' }, 'INVALID_CONTEXT', '`kind` must be a string'],
    [{ kind: 'a b', targetingKey: 'ann' }, 'INVALID_CONTEXT', 'the evaluation context is invalid'],
    [{ key: 7 }, 'INVALID_CONTEXT', '`targetingKey` must be a string'],
    [{ kind: 'multi', targetingKey: 'ann' }, 'INVALID_CONTEXT', 'must contain at least 1 context'],
    [{ kind: 'multi', plan: 'pro' }, 'INVALID_CONTEXT', '`plan` must be an object'],
    [{ kind: 'multi', org: { key: 7 } }, 'INVALID_CONTEXT', '`targetingKey` of `org` must be a string'],
  ])('fails for %j with %s', async (context, errorCode, message) => {
    const details = await client.getBooleanDetails('contexts', true, context)
    expect(details).toMatchObject({ value: true, reason: 'ERROR', errorCode })
    expect(details.errorMessage).toContain((await passesErrorMessages()) ? message : '')
  })
})

it('a provider looks up big segments again after they changed', async () => {
  await engine.api.createSegment({ ...environment, body: { key: 'big', name: 'Big', unbounded: true } }, { as })
  const change = (included: object) =>
    engine.api.updateBigSegmentTargets({ ...environment, segmentKey: 'big', body: { included } as never }, { as })
  await change({ add: ['ann'], remove: [] })
  const inBigSegment = [clause({ attribute: '', op: 'segmentMatch', values: ['big'] })]
  await createOn('listed', ([, second]) => [{ kind: 'addRule', clauses: inBigSegment, variationId: second }])
  const details = () => client.getBooleanDetails('listed', true, { targetingKey: 'ann' })
  expect(await details()).toMatchObject({ value: false, flagMetadata: { bigSegmentsStatus: 'HEALTHY' } })
  await change({ add: [], remove: ['ann'] })
  expect(await details()).toMatchObject({ value: true, flagMetadata: { bigSegmentsStatus: 'HEALTHY' } })
})

it('a provider returns the custom properties of a flag as metadata, with numbers and booleans', async () => {
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

it('a provider returns an AI config as an object, and reports its changes', async () => {
  const project = { projectKey: 'shop' }
  const message = (content: string) => ({ messages: [{ role: 'system', content }] })
  const defaultVariation = { key: 'first', name: 'First', ...message('Be kind.') }
  await engine.api.createAIConfig({ ...project, body: { key: 'chat', name: 'Chat', defaultVariation } }, { as })
  const body = { environmentKey: 'production', instructions: [turnOn] } as never
  await engine.api.patchAIConfigTargeting({ ...project, configKey: 'chat', body }, { as })
  expect(await client.getObjectDetails('chat', {}, { targetingKey: 'ann' })).toMatchObject({
    value: { _ldMeta: { enabled: true, variationKey: 'first', mode: 'completion' }, ...message('Be kind.') },
    reason: 'STATIC',
  })
  const changed = new Promise((resolve) =>
    client.addHandler(ProviderEvents.ConfigurationChanged, (event) => resolve(event?.flagsChanged)),
  )
  const patch = { ...project, configKey: 'chat', variationKey: 'first', body: message('Be brief.') }
  await engine.api.patchAIConfigVariation(patch, { as })
  expect(await changed).toEqual(['chat'])
  expect(await client.getObjectValue('chat', {}, { targetingKey: 'ann' })).toMatchObject(message('Be brief.'))
})

describe('an engine that counts evaluations', () => {
  it('counts each evaluation of the provider once', async () => {
    const counting = createEngine({ storage: createMemoryStorage(), countEvaluations: true })
    onTestFinished(() => counting.close())
    const countedClient = OpenFeature.getClient('counting')
    const admin = { as: (await counting.bootstrap())?.token as string }
    await counting.api.createProject({ body: { key: 'shop', name: 'Shop' } }, admin)
    await counting.api.createFlag({ projectKey: 'shop', body: { key: 'f', name: 'f' } }, admin)
    await counting.api.createSegment({ ...environment, body: { key: 'big', name: 'Big', unbounded: true } }, admin)
    const { variations } = await counting.api.getFlag({ projectKey: 'shop', flagKey: 'f' }, admin)
    const [on, off] = variations.map(({ _id }) => _id) as [string, string]
    const inBigSegment = [clause({ attribute: '', op: 'segmentMatch', values: ['big'] })]
    const rolloutWeights = { [on]: 50_000, [off]: 50_000 }
    const rolled = { kind: 'updateFallthroughVariationOrRollout', rolloutWeights }
    const instructions = [turnOn, { kind: 'addRule', clauses: inBigSegment, variationId: off }, rolled]
    const body = { environmentKey: 'production', instructions } as never
    await counting.api.patchFlag({ projectKey: 'shop', flagKey: 'f', body }, admin)
    await OpenFeature.setProviderAndWait('counting', createHalyardProvider(counting, environment))

    const { variant } = await countedClient.getBooleanDetails('f', false, { targetingKey: 'ann' })
    // The default value applies in three cases: the context has no key for the rollout, the value has another type, and
    // the flag is missing. The first two are counted for the flag.
    await countedClient.getBooleanDetails('f', false, { plan: 'pro' })
    await countedClient.getStringDetails('f', 'no', { targetingKey: 'ann' })
    await countedClient.getBooleanDetails('missing', false, { targetingKey: 'ann' })
    await counting.sdk.flush()
    const counts = await counting.sdk.evaluations({ ...environment, flagKey: 'f' })
    expect(counts.map(({ variation, count }) => [variation, count])).toEqual([
      [null, 2],
      [Number(variant), 1],
    ])
    expect(await counting.sdk.evaluations({ ...environment, flagKey: 'missing' })).toEqual([])
  })
})

it('a provider adds tracking events to the events of the engine, and drops those without a valid context', async () => {
  const options: unknown[] = []
  const createEngineWithEvents = createEngineOf({
    operations: [createProject],
    evaluators,
    sdkEndpoints,
    eventConsumers: [
      {
        take({ events }) {
          options.push(...events)
          return []
        },
        changes: async () => [],
      },
    ],
  })
  const tracking = createEngineWithEvents({ storage: createMemoryStorage() })
  const admin = (await tracking.bootstrap())?.token as string
  await tracking.api.createProject({ body: { key: environment.projectKey, name: 'Shop' } }, { as: admin })
  await OpenFeature.setProviderAndWait('tracking', createHalyardProvider(tracking, environment))
  const trackingClient = OpenFeature.getClient('tracking')
  trackingClient.track('bought', { targetingKey: 'ann' }, { value: 7, item: 'shoes' })
  trackingClient.track('seen', { kind: 'org', targetingKey: 'acme' })
  expect(() => trackingClient.track('bought', {}, { value: 7 })).not.toThrow()
  expect(options).toMatchObject([
    { kind: 'custom', key: 'bought', value: 7, data: { item: 'shoes' }, contextKeys: { user: 'ann' } },
    { kind: 'custom', key: 'seen', value: undefined, data: undefined, contextKeys: { org: 'acme' } },
  ])
  await tracking.close()
})

it('a provider rejects a `checkMs` that is negative or not a number', () => {
  expect(() => createHalyardProvider(engine, environment, { checkMs: -1 })).toThrow(/^`checkMs`/)
  expect(() => createHalyardProvider(engine, environment, { checkMs: Number.NaN })).toThrow(RangeError)
})
