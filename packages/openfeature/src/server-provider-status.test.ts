import { createEngine } from '@halyard/core'
import { OpenFeature, ProviderEvents, ProviderStatus } from '@openfeature/server-sdk'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { createHalyardProvider } from './index.ts'
import { environment, openShop } from './test/shop.ts'
import { unreliableStorage } from './test/unreliable-storage.ts'

const { as, create, engine, falseVariation, instruct, storage, trueVariation, close } = await openShop()
afterAll(close)

describe('a provider while the storage is unavailable', () => {
  /** Registers a provider of an engine that reaches the storage over an unreliable network. */
  async function register(domain: string, prepare: (network: ReturnType<typeof unreliableStorage>) => void = () => {}) {
    const network = unreliableStorage(storage)
    const remoteEngine = createEngine({ storage: network, log: () => {} })
    const events: string[] = []
    const client = OpenFeature.getClient(domain)
    prepare(network)
    const registering = OpenFeature.setProviderAndWait(
      domain,
      createHalyardProvider(remoteEngine, environment, { checkMs: 5 }),
    )
    for (const event of Object.values(ProviderEvents)) client.addHandler(event, () => events.push(event))
    onTestFinished(async () => {
      network.down = false
      await OpenFeature.setProviderAndWait(domain, createHalyardProvider(engine, environment))
      await remoteEngine.close()
    })
    return { network, client, events, registering }
  }

  it('is not ready and returns default values before the flags are loaded', async () => {
    let release = () => {}
    const { client, registering } = await register('loading', (network) => {
      release = network.hold()
    })
    expect(client.providerStatus).toBe(ProviderStatus.NOT_READY)
    expect(await client.getBooleanDetails('f', false)).toMatchObject({
      value: false,
      reason: 'ERROR',
      errorCode: 'PROVIDER_NOT_READY',
    })
    release()
    await registering
    expect(await client.getBooleanValue('f', false)).toBe(true)
  })

  it('becomes ready after a failed registration, once the storage is available again', async () => {
    const { network, client, registering } = await register('down', (unavailable) => {
      unavailable.down = true
    })
    await expect(registering).rejects.toThrow('the network is down')
    expect(client.providerStatus).toBe(ProviderStatus.ERROR)
    expect(await client.getBooleanDetails('f', false)).toMatchObject({ value: false, errorCode: 'PROVIDER_NOT_READY' })
    network.down = false
    await expect.poll(() => client.providerStatus, { interval: 1 }).toBe(ProviderStatus.READY)
    expect(await client.getBooleanValue('f', false)).toBe(true)
  })

  it('is stale and evaluates the last known flags, then reports the missed changes', async () => {
    const { network, client, events, registering } = await register('stale')
    await registering
    const changed: unknown[] = []
    client.addHandler(ProviderEvents.ConfigurationChanged, (event) => changed.push(event?.flagsChanged))
    network.down = true
    await expect.poll(() => client.providerStatus, { interval: 1 }).toBe(ProviderStatus.STALE)
    await instruct('f', { kind: 'updateFallthroughVariationOrRollout', variationId: falseVariation })
    expect(await client.getBooleanDetails('f', false)).toMatchObject({ value: true, reason: 'STATIC' })
    events.length = 0
    network.down = false
    await expect.poll(() => client.providerStatus, { interval: 1 }).toBe(ProviderStatus.READY)
    expect(await client.getBooleanValue('f', true)).toBe(false)
    expect(changed).toEqual([['f']])
    expect(events).toEqual(['PROVIDER_CONFIGURATION_CHANGED', 'PROVIDER_READY'])
    await instruct('f', { kind: 'updateFallthroughVariationOrRollout', variationId: trueVariation })
  })
})

describe('a missing environment', () => {
  it('is fatal until it is created', async () => {
    const late = { projectKey: 'shop', environmentKey: 'late' }
    const client = OpenFeature.getClient('late')
    const registering = OpenFeature.setProviderAndWait('late', createHalyardProvider(engine, late, { checkMs: 5 }))
    await expect(registering).rejects.toMatchObject({ code: 'PROVIDER_FATAL' })
    expect(client.providerStatus).toBe(ProviderStatus.FATAL)
    expect(await client.getBooleanDetails('f', true)).toMatchObject({ value: true, errorCode: 'PROVIDER_FATAL' })
    const body = { key: 'late', name: 'Late', color: 'abcdef' }
    await engine.api.createEnvironment({ projectKey: 'shop', body }, { as })
    await expect.poll(() => client.providerStatus, { interval: 1 }).toBe(ProviderStatus.READY)
    const codes: unknown[] = []
    client.addHandler(ProviderEvents.Error, (event) => codes.push(event?.errorCode))
    await engine.api.deleteEnvironment(late, { as })
    await expect.poll(() => client.providerStatus, { interval: 1 }).toBe(ProviderStatus.FATAL)
    expect(codes).toEqual(['PROVIDER_FATAL'])
  })
})

it('a provider emits no event after another provider replaces it', async () => {
  const changed: unknown[] = []
  const provider = createHalyardProvider(engine.evaluator(environment))
  await OpenFeature.setProviderAndWait('replaced', provider)
  provider.events?.addHandler(ProviderEvents.ConfigurationChanged, (event) => changed.push(event?.flagsChanged))
  await create('before')
  await expect.poll(() => changed).toEqual([['before']])
  await OpenFeature.setProviderAndWait('replaced', createHalyardProvider(engine, environment))
  await create('after')
  expect(changed).toEqual([['before']])
})
