import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { type EvaluationContext, OpenFeature, ProviderEvents, ProviderStatus } from '@openfeature/web-sdk'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type EvaluationService, evaluationService } from '../test/evaluation-service.ts'
import { createHalyardWebProvider, type HalyardWebProviderOptions } from '../web.ts'
import { base64url } from './flag-service.ts'

const place = { projectKey: 'shop', environmentKey: 'production' }
const engine = createEngine({ storage: createMemoryStorage() })
const evaluator = engine.evaluator(place)
const clientSideAvailability = { usingEnvironmentId: true, usingMobileKey: false }
let as: string

async function create(key: string, more: object = {}, ...instructions: object[]) {
  const body = { key, name: key, clientSideAvailability, ...more }
  const flag = await engine.api.createFlag({ projectKey: 'shop', body }, { as })
  const ids = flag.variations.map(({ _id }) => _id)
  await instruct(key, { kind: 'turnFlagOn' }, ...instructions.map((one) => ({ variationId: ids[1], ...one })))
}

const instruct = (featureFlagKey: string, ...instructions: object[]) =>
  engine.api.patchFlag(
    { projectKey: 'shop', featureFlagKey, body: { environmentKey: 'production', instructions } as never },
    { as },
  )

beforeAll(async () => {
  // The SDK writes what it tells by events to the console as well.
  const silent = () => {}
  OpenFeature.setLogger({ error: silent, warn: silent, info: silent, debug: silent })
  as = (await engine.bootstrap())?.token as string
  await engine.api.createProject({ body: { key: 'shop', name: 'Shop' } }, { as })
  const clauses = [{ contextKind: 'user', attribute: 'plan', op: 'in', values: ['pro'], negate: false }]
  await create('checkout', {}, { kind: 'addRule', clauses })
  await create('named', {}, { kind: 'addTargets', values: ['bob'] })
  await create('theme', { variations: [{ value: 'light' }, { value: 'dark' }] })
  await create('limits', { variations: [{ value: { rate: 10 } }, { value: { rate: 99 } }] })
  await create('price', { variations: [{ value: 1.5 }, { value: 2 }] })
  await create('dark')
  await instruct('dark', { kind: 'turnFlagOff' })
  await create('secret', { clientSideAvailability: { usingEnvironmentId: false, usingMobileKey: true } })
  await evaluator.ready()
})
afterAll(() => engine.close())

/** A provider that is registered under a name of its own, and what was told of it. */
async function registered(
  name: string,
  {
    context = { targetingKey: 'ann' },
    prepare = () => {},
    ...more
  }: Partial<HalyardWebProviderOptions> & {
    context?: EvaluationContext
    prepare?: (service: EvaluationService) => void
  } = {},
) {
  const service = await evaluationService(evaluator)
  const { baseUrl, environmentId } = service
  prepare(service)
  const provider = createHalyardWebProvider({ baseUrl, environmentId, pollMs: 0, ...more })
  const client = OpenFeature.getClient(name)
  const registering = OpenFeature.setProviderAndWait(name, provider, context)
  const events: string[] = []
  const changed: unknown[] = []
  for (const event of Object.values(ProviderEvents)) client.addHandler(event, () => events.push(event))
  client.addHandler(ProviderEvents.ConfigurationChanged, (event) => changed.push(event?.flagsChanged))
  onTestFinished(async () => {
    await registering.catch(() => {})
    await OpenFeature.clearProviders()
    await service.close()
  })
  return { service, provider, client, registering, events, changed }
}

describe('in a browser', () => {
  it('flags are as the service evaluates them, with reasons', async () => {
    const { client, registering } = await registered('values')
    await registering
    const told = { variant: '0', reason: 'DEFAULT', flagMetadata: {} }
    expect(client.getBooleanDetails('checkout', false)).toEqual({ flagKey: 'checkout', value: true, ...told })
    expect(client.getStringDetails('theme', 'none')).toEqual({ flagKey: 'theme', value: 'light', ...told })
    expect(client.getNumberValue('price', 0)).toBe(1.5)
    expect(client.getObjectValue('limits', {})).toEqual({ rate: 10 })
    expect(client.getBooleanDetails('dark', true)).toMatchObject({ value: false, variant: '1', reason: 'DISABLED' })
    await OpenFeature.setContext('values', { targetingKey: 'bob', plan: 'pro' })
    expect(client.getBooleanDetails('named', true)).toMatchObject({ value: false, reason: 'TARGETING_MATCH' })
    expect(client.getBooleanDetails('checkout', true)).toMatchObject({
      value: false,
      reason: 'TARGETING_MATCH',
      flagMetadata: { ruleIndex: 0 },
    })
  })

  it('errors give defaults: no flag, one that browsers may not see, another type', async () => {
    const { client, registering } = await registered('errors')
    await registering
    for (const key of ['none', 'secret', 'constructor']) {
      expect(client.getBooleanDetails(key, true)).toMatchObject({ value: true, errorCode: 'FLAG_NOT_FOUND' })
    }
    expect(client.getStringDetails('checkout', 'no')).toMatchObject({ value: 'no', errorCode: 'TYPE_MISMATCH' })
    expect(client.getObjectDetails('theme', {})).toMatchObject({ value: {}, errorCode: 'TYPE_MISMATCH' })
    expect(client.getNumberDetails('limits', 1)).toMatchObject({ value: 1, errorCode: 'TYPE_MISMATCH' })
  })

  it('a flag that is off and serves nothing gives the default', async () => {
    await create('idle')
    const off = [{ op: 'remove', path: '/environments/production/offVariation' }]
    await engine.api.patchFlag({ projectKey: 'shop', featureFlagKey: 'idle', body: off as never }, { as })
    await instruct('idle', { kind: 'turnFlagOff' })
    const { client, registering } = await registered('idle')
    await registering
    const details = client.getBooleanDetails('idle', true)
    expect(details).toEqual({ flagKey: 'idle', value: true, reason: 'DISABLED', flagMetadata: {} })
  })

  it('contexts are sent as Halyard takes them, those without a key as anonymous ones', async () => {
    const { service, registering } = await registered('contexts', { context: { plan: 'pro' }, anonymousKey: 'a-1' })
    await registering
    await OpenFeature.setContext('contexts', { kind: 'org', targetingKey: 'acme', since: new Date(0) })
    expect(service.asked.map(({ context }) => context)).toEqual([
      { kind: 'user', key: 'a-1', anonymous: true, plan: 'pro' },
      { kind: 'org', key: 'acme', since: '1970-01-01T00:00:00.000Z' },
    ])
    expect(service.asked[0]?.query).toBe('?withReasons=true')
    await OpenFeature.setContext('contexts', { kind: 'org' })
    const client = OpenFeature.getClient('contexts')
    expect(client.providerStatus).toBe(ProviderStatus.ERROR)
    expect(service.asked).toHaveLength(2)
  })

  it('a context can be proved', async () => {
    const hashOf = ({ targetingKey }: EvaluationContext) => (targetingKey === 'ann' ? 'abc+' : undefined)
    const { service, registering } = await registered('proved', { hashOf })
    await registering
    await OpenFeature.setContext('proved', { targetingKey: 'bob' })
    expect(service.asked.map(({ query }) => query)).toEqual(['?withReasons=true&h=abc%2B', '?withReasons=true'])
  })
})

describe('changes', () => {
  it('are told with the flags that they concern, by polling', async () => {
    await create('polled', { variations: [{ value: 'a' }, { value: 'b' }] })
    const { client, changed, registering, service } = await registered('polled', { pollMs: 5 })
    await registering
    await expect.poll(() => service.asked.at(-1)?.status, { interval: 1 }).toBe(304)
    await instruct('polled', { kind: 'turnFlagOff' })
    await expect.poll(() => changed, { interval: 1 }).toEqual([['polled']])
    expect(client.getStringValue('polled', 'none')).toBe('b')
  })

  it('are looked for when somebody asks, and what is the same is not sent again', async () => {
    await create('asked')
    const { provider, events, changed, registering, service } = await registered('asked')
    await registering
    events.length = 0
    await provider.refresh()
    expect([events, service.asked.map(({ status }) => status)]).toEqual([[], [200, 304]])
    await instruct('asked', { kind: 'turnFlagOff' })
    await provider.refresh()
    expect([events, changed]).toEqual([['PROVIDER_CONFIGURATION_CHANGED'], [['asked']]])
  })

  it('of the context wait for the last of them, whatever comes in between', async () => {
    const { client, events, registering, service } = await registered('hasty')
    await registering
    events.length = 0
    const open = service.hold()
    const first = OpenFeature.setContext('hasty', { targetingKey: 'cid', plan: 'pro' })
    const second = OpenFeature.setContext('hasty', { targetingKey: 'bob' })
    expect(client.providerStatus).toBe(ProviderStatus.RECONCILING)
    await expect.poll(() => service.asked.length, { interval: 1 }).toBeGreaterThan(1)
    open()
    await Promise.all([first, second])
    expect(client.getBooleanValue('named', true)).toBe(false)
    expect(client.getBooleanValue('checkout', false)).toBe(true)
    expect(events.filter((event) => event === 'PROVIDER_CONTEXT_CHANGED')).toHaveLength(1)
    expect(client.providerStatus).toBe(ProviderStatus.READY)
  })
})

describe('while the service is out of reach', () => {
  it.each([500, 'hang up'] as const)('the last values stay and are stale: %s', async (failing) => {
    const name = `stale-${failing}`
    const { client, provider, events, registering, service } = await registered(name)
    await registering
    events.length = 0
    service.failing = failing
    await provider.refresh()
    await provider.refresh()
    expect([events, client.providerStatus]).toEqual([['PROVIDER_STALE'], ProviderStatus.STALE])
    expect(client.getStringDetails('theme', 'none')).toMatchObject({
      value: 'light',
      reason: 'CACHED',
      flagMetadata: { cachedReason: 'DEFAULT' },
    })
    expect(client.getStringDetails('none', 'none')).toMatchObject({ reason: 'ERROR', errorCode: 'FLAG_NOT_FOUND' })
    service.failing = undefined
    await provider.refresh()
    expect([events, client.providerStatus]).toEqual([['PROVIDER_STALE', 'PROVIDER_READY'], ProviderStatus.READY])
    expect(client.getStringDetails('theme', 'none')).toMatchObject({ reason: 'DEFAULT', flagMetadata: {} })
  })

  it('it is in error from the start, and ready once it is reached', async () => {
    const { client, registering, service } = await registered('late', {
      pollMs: 5,
      prepare: (it) => {
        it.failing = 503
      },
    })
    await expect(registering).rejects.toThrow('the flags could not be read: 503 Service Unavailable')
    expect(client.providerStatus).toBe(ProviderStatus.ERROR)
    expect(client.getStringDetails('theme', 'none')).toMatchObject({ value: 'none', errorCode: 'PROVIDER_NOT_READY' })
    service.failing = undefined
    await expect.poll(() => client.providerStatus, { interval: 1 }).toBe(ProviderStatus.READY)
    expect(client.getStringValue('theme', 'none')).toBe('light')
  })

  it.each([401, 403, 404])('a wrong key is fatal: %d', async (status) => {
    const { client, registering, service } = await registered(`wrong-${status}`, {
      pollMs: 5,
      prepare: (it) => {
        it.failing = status
      },
    })
    await expect(registering).rejects.toMatchObject({ code: 'PROVIDER_FATAL' })
    expect(client.providerStatus).toBe(ProviderStatus.FATAL)
    expect(client.getStringDetails('theme', 'none')).toMatchObject({ value: 'none', errorCode: 'PROVIDER_FATAL' })
    // Whoever makes the environment later need not begin anew.
    service.failing = undefined
    await expect.poll(() => client.providerStatus, { interval: 1 }).toBe(ProviderStatus.READY)
    expect(client.getStringValue('theme', 'none')).toBe('light')
  })

  it('another context is an error, and counts as soon as it is reached', async () => {
    const { client, provider, changed, registering, service } = await registered('moved')
    await registering
    service.failing = 'hang up'
    await OpenFeature.setContext('moved', { targetingKey: 'bob' })
    expect(client.providerStatus).toBe(ProviderStatus.ERROR)
    expect(client.getBooleanValue('named', false)).toBe(true)
    service.failing = undefined
    await provider.refresh()
    expect(client.providerStatus).toBe(ProviderStatus.READY)
    expect(client.getBooleanValue('named', true)).toBe(false)
    expect(changed).toEqual([['named']])
  })

  it('a request that is not answered has failed after a time', async () => {
    const { registering, service } = await registered('slow', {
      timeoutMs: 500,
      prepare: (it) => {
        onTestFinished(it.hold())
      },
    })
    await expect(registering).rejects.toThrow('not answered within 500 ms')
    expect(service.asked).toHaveLength(1)
  })

  it.each(['[]', 'null', '{"theme":1}', 'no json'])('%s is no answer', async (body) => {
    const { client, registering } = await registered('garbled', { fetch: async () => new Response(body) })
    await expect(registering).rejects.toThrow()
    expect(client.getStringDetails('theme', 'none')).toMatchObject({ value: 'none', errorCode: 'PROVIDER_NOT_READY' })
  })
})

it('asks nothing any more once it is closed', async () => {
  const { provider, events, registering, service } = await registered('closed', { pollMs: 1 })
  await registering
  await expect.poll(() => service.asked.length, { interval: 1 }).toBeGreaterThan(2)
  service.hold()
  const before = service.asked.length
  await expect.poll(() => service.asked.length, { interval: 1 }).toBeGreaterThan(before)
  await provider.onClose?.()
  events.length = 0
  const { length } = service.asked
  await provider.refresh()
  expect(service.asked).toHaveLength(length)
  expect(events).toEqual([])
})

it('writes any text as base64url, as Node does', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
      expect(base64url(text)).toBe(Buffer.from(text, 'utf8').toString('base64url'))
    }),
    { numRuns: 50 },
  )
})

it('refuses times that are none', () => {
  const given = { baseUrl: '', environmentId: 'e' }
  expect(() => createHalyardWebProvider({ ...given, pollMs: -1 })).toThrow(/^pollMs/)
  expect(() => createHalyardWebProvider({ ...given, timeoutMs: 0 })).toThrow(/^timeoutMs/)
})
