import { createEngine } from '@halyard/core'
import { OpenFeature, ProviderEvents, ProviderStatus } from '@openfeature/server-sdk'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { createHalyardProvider } from './index.ts'
import { openShop, place } from './test/shop.ts'
import { unreliableStorage } from './test/unreliable-storage.ts'

const { as, create, engine, instruct, no, storage, yes, close } = await openShop()
afterAll(close)

describe('while the storage is out of reach', () => {
  async function remote(domain: string, prepare: (network: ReturnType<typeof unreliableStorage>) => void = () => {}) {
    const network = unreliableStorage(storage)
    const mine = createEngine({ storage: network, log: () => {} })
    const events: string[] = []
    const by = OpenFeature.getClient(domain)
    prepare(network)
    const registering = OpenFeature.setProviderAndWait(domain, createHalyardProvider(mine, place, { checkMs: 5 }))
    for (const event of Object.values(ProviderEvents)) by.addHandler(event, () => events.push(event))
    onTestFinished(async () => {
      network.down = false
      await OpenFeature.setProviderAndWait(domain, createHalyardProvider(engine, place))
      await mine.close()
    })
    return { network, by, events, registering }
  }

  it('is not ready, and gives defaults', async () => {
    let open = () => {}
    const { by, registering } = await remote('held', (network) => {
      open = network.hold()
    })
    expect(by.providerStatus).toBe(ProviderStatus.NOT_READY)
    expect(await by.getBooleanDetails('f', false)).toMatchObject({
      value: false,
      reason: 'ERROR',
      errorCode: 'PROVIDER_NOT_READY',
    })
    open()
    await registering
    expect(await by.getBooleanValue('f', false)).toBe(true)
  })

  it('is in error from the start, and ready once it can be read', async () => {
    const { network, by, registering } = await remote('down', (it) => {
      it.down = true
    })
    await expect(registering).rejects.toThrow('the network is down')
    expect(by.providerStatus).toBe(ProviderStatus.ERROR)
    expect(await by.getBooleanDetails('f', false)).toMatchObject({ value: false, errorCode: 'PROVIDER_NOT_READY' })
    network.down = false
    await expect.poll(() => by.providerStatus, { interval: 1 }).toBe(ProviderStatus.READY)
    expect(await by.getBooleanValue('f', false)).toBe(true)
  })

  it('is stale and goes on by what it knows, then tells what it missed', async () => {
    const { network, by, events, registering } = await remote('lost')
    await registering
    const changed: unknown[] = []
    by.addHandler(ProviderEvents.ConfigurationChanged, (event) => changed.push(event?.flagsChanged))
    network.down = true
    await expect.poll(() => by.providerStatus, { interval: 1 }).toBe(ProviderStatus.STALE)
    await instruct('f', { kind: 'updateFallthroughVariationOrRollout', variationId: no() })
    expect(await by.getBooleanDetails('f', false)).toMatchObject({ value: true, reason: 'STATIC' })
    events.length = 0
    network.down = false
    await expect.poll(() => by.providerStatus, { interval: 1 }).toBe(ProviderStatus.READY)
    expect(await by.getBooleanValue('f', true)).toBe(false)
    expect(changed).toEqual([['f']])
    expect(events).toEqual(['PROVIDER_CONFIGURATION_CHANGED', 'PROVIDER_READY'])
    await instruct('f', { kind: 'updateFallthroughVariationOrRollout', variationId: yes() })
  })
})

describe('an environment that there is not', () => {
  it('is fatal until there is one', async () => {
    const late = { projectKey: 'shop', environmentKey: 'late' }
    const by = OpenFeature.getClient('late')
    const registering = OpenFeature.setProviderAndWait('late', createHalyardProvider(engine, late, { checkMs: 5 }))
    await expect(registering).rejects.toMatchObject({ code: 'PROVIDER_FATAL' })
    expect(by.providerStatus).toBe(ProviderStatus.FATAL)
    expect(await by.getBooleanDetails('f', true)).toMatchObject({ value: true, errorCode: 'PROVIDER_FATAL' })
    const body = { key: 'late', name: 'Late', color: 'abcdef' }
    await engine.api.createEnvironment({ projectKey: 'shop', body }, { as })
    await expect.poll(() => by.providerStatus, { interval: 1 }).toBe(ProviderStatus.READY)
    const codes: unknown[] = []
    by.addHandler(ProviderEvents.Error, (event) => codes.push(event?.errorCode))
    await engine.api.deleteEnvironment(late, { as })
    await expect.poll(() => by.providerStatus, { interval: 1 }).toBe(ProviderStatus.FATAL)
    expect(codes).toEqual(['PROVIDER_FATAL'])
  })
})

it('tells nothing any more once another has its place', async () => {
  const changed: unknown[] = []
  const provider = createHalyardProvider(engine.evaluator(place))
  await OpenFeature.setProviderAndWait('replaced', provider)
  provider.events?.addHandler(ProviderEvents.ConfigurationChanged, (event) => changed.push(event?.flagsChanged))
  await create('before')
  await expect.poll(() => changed).toEqual([['before']])
  await OpenFeature.setProviderAndWait('replaced', createHalyardProvider(engine, place))
  await create('after')
  expect(changed).toEqual([['before']])
})
