import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { type EvaluationContext, OpenFeature, ProviderEvents, ProviderStatus } from '@openfeature/web-sdk'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type EvaluationService, evaluationService } from '../test/evaluation-service.ts'
import { createHalyardWebProvider, type HalyardWebProviderOptions } from '../web.ts'
import { base64url } from './flag-service.ts'

const environment = { projectKey: 'shop', environmentKey: 'production' }
const engine = createEngine({ storage: createMemoryStorage() })
const evaluator = engine.evaluator(environment)
const clientSideAvailability = { usingEnvironmentId: true, usingMobileKey: false }
let as: string

/** Creates a flag that is on. The instructions apply to its second variation. */
async function create(key: string, properties: object = {}, ...instructions: object[]) {
  const body = { key, name: key, clientSideAvailability, ...properties }
  const flag = await engine.api.createFlag({ projectKey: 'shop', body }, { as })
  const ids = flag.variations.map(({ _id }) => _id)
  await instruct(
    key,
    { kind: 'turnFlagOn' },
    ...instructions.map((instruction) => ({ variationId: ids[1], ...instruction })),
  )
}

const instruct = (flagKey: string, ...instructions: object[]) =>
  engine.api.patchFlag(
    { projectKey: 'shop', flagKey, body: { environmentKey: 'production', instructions } as never },
    { as },
  )

beforeAll(async () => {
  // The SDK writes every event to the console as well.
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

/** Registers a provider in a domain, and records its events. */
async function register(
  domain: string,
  {
    context = { targetingKey: 'ann' },
    prepare = () => {},
    ...options
  }: Partial<HalyardWebProviderOptions> & {
    context?: EvaluationContext
    prepare?: (service: EvaluationService) => void
  } = {},
) {
  const service = await evaluationService(evaluator)
  const { baseUrl, environmentId } = service
  prepare(service)
  const provider = createHalyardWebProvider({ baseUrl, environmentId, pollMs: 0, ...options })
  const client = OpenFeature.getClient(domain)
  const registering = OpenFeature.setProviderAndWait(domain, provider, context)
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

describe('an evaluation', () => {
  it('has the value and the reason of the service', async () => {
    const { client, registering } = await register('values')
    await registering
    const details = { variant: '0', reason: 'DEFAULT', flagMetadata: {} }
    expect(client.getBooleanDetails('checkout', false)).toEqual({ flagKey: 'checkout', value: true, ...details })
    expect(client.getStringDetails('theme', 'none')).toEqual({ flagKey: 'theme', value: 'light', ...details })
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

  it('returns the default value for a missing flag, a hidden flag and another type', async () => {
    const { client, registering } = await register('errors')
    await registering
    for (const key of ['none', 'secret', 'constructor']) {
      expect(client.getBooleanDetails(key, true)).toMatchObject({ value: true, errorCode: 'FLAG_NOT_FOUND' })
    }
    expect(client.getStringDetails('checkout', 'no')).toMatchObject({ value: 'no', errorCode: 'TYPE_MISMATCH' })
    expect(client.getObjectDetails('theme', {})).toMatchObject({ value: {}, errorCode: 'TYPE_MISMATCH' })
    expect(client.getNumberDetails('limits', 1)).toMatchObject({ value: 1, errorCode: 'TYPE_MISMATCH' })
  })

  it('returns the default value for a flag that is off and has no off variation', async () => {
    await create('idle')
    const off = [{ op: 'remove', path: '/environments/production/offVariation' }]
    await engine.api.patchFlag({ projectKey: 'shop', flagKey: 'idle', body: off as never }, { as })
    await instruct('idle', { kind: 'turnFlagOff' })
    const { client, registering } = await register('idle')
    await registering
    const details = client.getBooleanDetails('idle', true)
    expect(details).toEqual({ flagKey: 'idle', value: true, reason: 'DISABLED', flagMetadata: {} })
  })

  it('sends contexts of the engine, and contexts without a key as anonymous', async () => {
    const { service, registering } = await register('contexts', { context: { plan: 'pro' }, anonymousKey: 'a-1' })
    await registering
    await OpenFeature.setContext('contexts', { kind: 'org', targetingKey: 'acme', since: new Date(0) })
    expect(service.requests.map(({ context }) => context)).toEqual([
      { kind: 'user', key: 'a-1', anonymous: true, plan: 'pro' },
      { kind: 'org', key: 'acme', since: '1970-01-01T00:00:00.000Z' },
    ])
    expect(service.requests[0]?.query).toBe('?withReasons=true')
    await OpenFeature.setContext('contexts', { kind: 'org' })
    const client = OpenFeature.getClient('contexts')
    expect(client.providerStatus).toBe(ProviderStatus.ERROR)
    expect(service.requests).toHaveLength(2)
  })

  it('sends the hash of a context', async () => {
    const hashOf = ({ targetingKey }: EvaluationContext) => (targetingKey === 'ann' ? 'abc+' : undefined)
    const { service, registering } = await register('hashed', { hashOf })
    await registering
    await OpenFeature.setContext('hashed', { targetingKey: 'bob' })
    expect(service.requests.map(({ query }) => query)).toEqual(['?withReasons=true&h=abc%2B', '?withReasons=true'])
  })
})

describe('a change', () => {
  it('is found by polling and reported with its flags', async () => {
    await create('polled', { variations: [{ value: 'a' }, { value: 'b' }] })
    const { client, changed, registering, service } = await register('polled', { pollMs: 5 })
    await registering
    await expect.poll(() => service.requests.at(-1)?.status, { interval: 1 }).toBe(304)
    await instruct('polled', { kind: 'turnFlagOff' })
    await expect.poll(() => changed, { interval: 1 }).toEqual([['polled']])
    expect(client.getStringValue('polled', 'none')).toBe('b')
  })

  it('is found by `refresh`, whose request names the ETag of the last response', async () => {
    await create('refreshed')
    const { provider, events, changed, registering, service } = await register('refreshed')
    await registering
    events.length = 0
    await provider.refresh()
    expect([events, service.requests.map(({ status }) => status)]).toEqual([[], [200, 304]])
    await instruct('refreshed', { kind: 'turnFlagOff' })
    await provider.refresh()
    expect([events, changed]).toEqual([['PROVIDER_CONFIGURATION_CHANGED'], [['refreshed']]])
  })

  it('of the context resolves when the latest context is loaded', async () => {
    const { client, events, registering, service } = await register('hasty')
    await registering
    events.length = 0
    const release = service.hold()
    const first = OpenFeature.setContext('hasty', { targetingKey: 'cid', plan: 'pro' })
    const second = OpenFeature.setContext('hasty', { targetingKey: 'bob' })
    expect(client.providerStatus).toBe(ProviderStatus.RECONCILING)
    await expect.poll(() => service.requests.length, { interval: 1 }).toBeGreaterThan(1)
    release()
    await Promise.all([first, second])
    expect(client.getBooleanValue('named', true)).toBe(false)
    expect(client.getBooleanValue('checkout', false)).toBe(true)
    expect(events.filter((event) => event === 'PROVIDER_CONTEXT_CHANGED')).toHaveLength(1)
    expect(client.providerStatus).toBe(ProviderStatus.READY)
  })
})

describe('while the service does not respond', () => {
  it.each([500, 'disconnect'] as const)('the provider is stale and has the last known values (%s)', async (failing) => {
    const domain = `stale-${failing}`
    const { client, provider, events, registering, service } = await register(domain)
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

  it('the provider is in error for a new context until the service responds', async () => {
    const { client, provider, changed, registering, service } = await register('moved')
    await registering
    service.failing = 'disconnect'
    await OpenFeature.setContext('moved', { targetingKey: 'bob' })
    expect(client.providerStatus).toBe(ProviderStatus.ERROR)
    expect(client.getBooleanValue('named', false)).toBe(true)
    service.failing = undefined
    await provider.refresh()
    expect(client.providerStatus).toBe(ProviderStatus.READY)
    expect(client.getBooleanValue('named', true)).toBe(false)
    expect(changed).toEqual([['named']])
  })

  it('a request fails at the timeout', async () => {
    const { registering, service } = await register('slow', {
      timeoutMs: 500,
      prepare: (slowService) => {
        onTestFinished(slowService.hold())
      },
    })
    await expect(registering).rejects.toThrow('no response within 500 ms')
    expect(service.requests).toHaveLength(1)
  })
})

describe('a registration that failed', () => {
  it('leaves the provider in error until the service responds', async () => {
    const { client, registering, service } = await register('late', {
      pollMs: 5,
      prepare: (failingService) => {
        failingService.failing = 503
      },
    })
    await expect(registering).rejects.toThrow('the request for flags failed: 503 Service Unavailable')
    expect(client.providerStatus).toBe(ProviderStatus.ERROR)
    expect(client.getStringDetails('theme', 'none')).toMatchObject({ value: 'none', errorCode: 'PROVIDER_NOT_READY' })
    service.failing = undefined
    await expect.poll(() => client.providerStatus, { interval: 1 }).toBe(ProviderStatus.READY)
    expect(client.getStringValue('theme', 'none')).toBe('light')
  })

  it.each([401, 403, 404])(
    'makes the provider fatal for status %d, until the service responds with flags',
    async (status) => {
      const { client, registering, service } = await register(`wrong-${status}`, {
        pollMs: 5,
        prepare: (failingService) => {
          failingService.failing = status
        },
      })
      await expect(registering).rejects.toMatchObject({ code: 'PROVIDER_FATAL' })
      expect(client.providerStatus).toBe(ProviderStatus.FATAL)
      expect(client.getStringDetails('theme', 'none')).toMatchObject({ value: 'none', errorCode: 'PROVIDER_FATAL' })
      // The environment may be created later.
      service.failing = undefined
      await expect.poll(() => client.providerStatus, { interval: 1 }).toBe(ProviderStatus.READY)
      expect(client.getStringValue('theme', 'none')).toBe('light')
    },
  )

  it.each(['[]', 'null', '{"theme":1}', 'no json'])(
    'leaves the default values after the response body %s',
    async (body) => {
      const { client, registering } = await register('garbled', { fetch: async () => new Response(body) })
      await expect(registering).rejects.toThrow()
      expect(client.getStringDetails('theme', 'none')).toMatchObject({ value: 'none', errorCode: 'PROVIDER_NOT_READY' })
    },
  )
})

it('a web provider sends no request after it is closed', async () => {
  const { provider, events, registering, service } = await register('closed', { pollMs: 1 })
  await registering
  await expect.poll(() => service.requests.length, { interval: 1 }).toBeGreaterThan(2)
  service.hold()
  const before = service.requests.length
  await expect.poll(() => service.requests.length, { interval: 1 }).toBeGreaterThan(before)
  await provider.onClose?.()
  events.length = 0
  const { length } = service.requests
  await provider.refresh()
  expect(service.requests).toHaveLength(length)
  expect(events).toEqual([])
})

it('a web provider encodes any text as base64url like Node', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
      expect(base64url(text)).toBe(Buffer.from(text, 'utf8').toString('base64url'))
    }),
    { numRuns: 50 },
  )
})

it('a web provider rejects a `pollMs` or `timeoutMs` that is not a number of milliseconds', () => {
  const options = { baseUrl: '', environmentId: 'e' }
  expect(() => createHalyardWebProvider({ ...options, pollMs: -1 })).toThrow(/^`pollMs`/)
  expect(() => createHalyardWebProvider({ ...options, timeoutMs: 0 })).toThrow(/^`timeoutMs`/)
})

describe('a stream', () => {
  /** Returns a fake `EventSource`, and the streams that it opened, to which a test sends messages. */
  function platformStreams() {
    const streams: { readonly url: string; isOpen: boolean; send(type: string, data?: unknown): void }[] = []
    class Stream extends EventTarget {
      readonly #entry: (typeof streams)[number]

      constructor(url: string) {
        super()
        this.#entry = { url, isOpen: true, send: (type, data) => void this.dispatchEvent(messageOf(type, data)) }
        streams.push(this.#entry)
      }

      close(): void {
        this.#entry.isOpen = false
      }
    }
    return { streams, EventSource: Stream }
  }

  const messageOf = (type: string, data?: unknown) => new MessageEvent(type, { data: JSON.stringify(data) })
  const contextOf = (url: string) => JSON.parse(Buffer.from(url.split(/[/?]/).at(-2) as string, 'base64url').toString())

  it('is open for the current context only, and until the provider is closed', async () => {
    const { streams, EventSource } = platformStreams()
    const { registering, provider, service } = await register('streams', {
      stream: true,
      EventSource,
      hashOf: () => 'proof',
    })
    await registering
    expect(streams.map(({ url }) => url.replace(/[^/]+\?/, 'context?'))).toEqual([
      `${service.baseUrl}eval/environment%2Fid/context?withReasons=true&h=proof`,
    ])
    await OpenFeature.setContext('streams', { targetingKey: 'bob' })
    expect(streams.map(({ url, isOpen }) => [contextOf(url).key, isOpen])).toEqual([
      ['ann', false],
      ['bob', true],
    ])
    await provider.onClose?.()
    expect(streams.map(({ isOpen }) => isOpen)).toEqual([false, false])
  })

  it('changes the flags to those of a message immediately, without a request', async () => {
    const { streams, EventSource } = platformStreams()
    const { registering, service, client, changed } = await register('values', { stream: true, EventSource })
    await registering
    expect(client.getBooleanValue('named', false)).toBe(true)
    const evaluationOfName = { value: false, variation: 1, version: 2, reason: { kind: 'FALLTHROUGH' } }
    streams[0]?.send('put', { named: evaluationOfName })
    expect(client.getBooleanDetails('named', true)).toMatchObject({ value: false, variant: '1', reason: 'DEFAULT' })
    expect(changed).toEqual([expect.arrayContaining(['named', 'checkout'])])
    expect(service.requests).toHaveLength(1)
    streams[0]?.send('put', { named: evaluationOfName })
    expect(changed).toHaveLength(1)
  })

  it('takes precedence over the response to a request that was sent before its message', async () => {
    const { streams, EventSource } = platformStreams()
    const { registering, provider, service, client, changed } = await register('newer', { stream: true, EventSource })
    await registering
    const release = service.hold()
    const refreshing = provider.refresh()
    await expect.poll(() => service.requests.length).toBe(2)
    streams[0]?.send('put', { named: { value: false, variation: 1 } })
    release()
    await refreshing
    expect(client.getBooleanValue('named', true)).toBe(false)
    expect(changed).toHaveLength(1)
    await provider.refresh()
    expect(client.getBooleanValue('named', false)).toBe(true)
  })

  it('leads to a request after a message without all flags, also when the message arrives during another request', async () => {
    const { streams, EventSource } = platformStreams()
    const { registering, service } = await register('messages', { stream: true, EventSource })
    await registering
    const release = service.hold()
    for (const [type, data] of [['put', ['no flags']], ['patch'], ['delete']] as const) {
      const before = service.requests.length
      streams[0]?.send(type, data)
      await expect.poll(() => service.requests.length).toBe(type === 'put' ? before + 1 : before)
    }
    release()
    await expect.poll(() => service.requests.length).toBe(3)
  })

  it('is opened for a new context as soon as its flags can be loaded', async () => {
    const { streams, EventSource } = platformStreams()
    const { registering, provider, service } = await register('recovering', { stream: true, EventSource })
    await registering
    service.failing = 503
    await OpenFeature.setContext('recovering', { targetingKey: 'bob' })
    expect(streams.map(({ isOpen }) => isOpen)).toEqual([false])
    service.failing = undefined
    await provider.refresh()
    await provider.refresh()
    expect(streams.map(({ isOpen }) => isOpen)).toEqual([false, true])
  })

  it('is refused on a platform without streams', () => {
    const options = { baseUrl: '', environmentId: 'e', stream: true, EventSource: null as never }
    expect(() => createHalyardWebProvider(options)).toThrow(TypeError)
  })
})
