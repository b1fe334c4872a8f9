import {
  type Client,
  type EvaluationDetails,
  type Hook,
  type JsonValue,
  OpenFeature,
  ProviderEvents,
  ProviderStatus,
} from '@openfeature/server-sdk'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createHalyardProvider } from './index.ts'
import { place, specificationEngine } from './test/specification-project.ts'
import { type SpecifiedOutcome, specifiedOutcomes } from './test/specified-outcomes.ts'

let made: Awaited<ReturnType<typeof specificationEngine>>
const client = OpenFeature.getClient('stable')

beforeAll(async () => {
  made = await specificationEngine()
  await OpenFeature.setProviderAndWait('stable', createHalyardProvider(made.engine, place))
})
afterAll(async () => {
  await OpenFeature.clearProviders()
  await made.engine.close()
})

function detailsOf(
  by: Client,
  { key, type, fallback, context }: SpecifiedOutcome,
): Promise<EvaluationDetails<JsonValue>> {
  switch (type) {
    case 'Boolean':
      return by.getBooleanDetails(key, fallback as boolean, context)
    case 'String':
      return by.getStringDetails(key, fallback as string, context)
    case 'Number':
      return by.getNumberDetails(key, fallback as number, context)
    default:
      return by.getObjectDetails(key, fallback, context)
  }
}

describe('evaluation', () => {
  it.each(specifiedOutcomes)('$scenario: $key as $type', async (specified) => {
    const { key, value, variant, reason, errorCode, errorMessage, metadata } = specified
    const before = structuredClone(specified.context)
    const details = await detailsOf(client, specified)
    expect(details).toMatchObject({ flagKey: key, ...(reason === undefined ? {} : { reason }) })
    expect(details.value).toEqual(value)
    expect(details.errorCode).toBe(errorCode)
    if (errorCode === undefined) expect(details.errorMessage).toBeUndefined()
    else expect(details.errorMessage).toContain(errorMessage ?? '')
    if (variant !== undefined) expect(details.variant).toBe(variant)
    if (errorCode !== undefined || reason === 'DISABLED') expect(details.variant).toBeUndefined()
    if (metadata !== undefined) expect(details.flagMetadata).toEqual(metadata)
    // Scenario "Evaluation context immutability".
    expect(specified.context).toEqual(before)
    expect(Object.isFrozen(details.flagMetadata)).toBe(true)
  })
})

/** hooks.feature, and the scenario "Evaluation options with hooks". */
describe('hooks', () => {
  function hooked() {
    const stages: string[] = []
    const details: Partial<Record<string, object>> = {}
    const hook: Hook = {
      before: () => void stages.push('before'),
      after: (_, evaluated) => {
        stages.push('after')
        details.after = evaluated
      },
      error: () => void stages.push('error'),
      finally: (_, evaluated) => {
        stages.push('finally')
        details.finally = evaluated
      },
    }
    return { stages, details, hook }
  }

  it('after and finally have the details of an evaluation', async () => {
    const { stages, details, hook } = hooked()
    await client.getBooleanDetails('boolean-flag', false, {}, { hooks: [hook] })
    const expected = { flagKey: 'boolean-flag', value: true, variant: 'on', reason: 'STATIC' }
    expect(stages).toEqual(['before', 'after', 'finally'])
    expect([details.after, details.finally]).toMatchObject([expected, expected])
    expect(details.finally).not.toHaveProperty('errorCode')
  })

  it.each([
    ['missing-flag', 'uh-oh', 'FLAG_NOT_FOUND'],
    ['wrong-flag', 13, 'TYPE_MISMATCH'],
  ])('error and finally are told of %s', async (key, fallback, errorCode) => {
    const { stages, details, hook } = hooked()
    if (typeof fallback === 'string') await client.getStringDetails(key, fallback, {}, { hooks: [hook] })
    else await client.getNumberDetails(key, fallback, {}, { hooks: [hook] })
    expect(stages).toEqual(['before', 'error', 'finally'])
    expect(details.finally).toMatchObject({ flagKey: key, value: fallback, reason: 'ERROR', errorCode })
    expect(details.finally).not.toHaveProperty('variant')
  })
})

/** events.feature, and events and lifecycle.feature of provider-tck. */
describe('events', () => {
  it('PROVIDER_READY is emitted once the environment was read', async () => {
    const ready = vi.fn()
    const mine = OpenFeature.getClient('ready')
    mine.addHandler(ProviderEvents.Ready, ready)
    ready.mockClear()
    await OpenFeature.setProviderAndWait('ready', createHalyardProvider(made.engine, place))
    await expect.poll(() => ready.mock.calls.length).toBe(1)
    expect(mine.providerStatus).toBe(ProviderStatus.READY)
    expect(mine.metadata.providerMetadata).toEqual({ name: 'halyard' })
  })

  it('PROVIDER_ERROR is emitted where there is nothing to read, and defaults are given', async () => {
    const failed = vi.fn()
    const mine = OpenFeature.getClient('nowhere')
    mine.addHandler(ProviderEvents.Error, failed)
    const nowhere = createHalyardProvider(made.engine, { ...place, environmentKey: 'nowhere' })
    await expect(OpenFeature.setProviderAndWait('nowhere', nowhere)).rejects.toMatchObject({ code: 'PROVIDER_FATAL' })
    await expect.poll(() => failed.mock.calls.length).toBe(1)
    expect(mine.providerStatus).toBe(ProviderStatus.FATAL)
    expect(await mine.getBooleanDetails('boolean-flag', false)).toMatchObject({
      value: false,
      reason: 'ERROR',
      errorCode: 'PROVIDER_FATAL',
    })
  })

  it('PROVIDER_CONFIGURATION_CHANGED names the flag, which then has its new value', async () => {
    const changed: unknown[] = []
    const seen: Promise<string>[] = []
    client.addHandler(ProviderEvents.ConfigurationChanged, (event) => {
      changed.push(event?.flagsChanged)
      seen.push(client.getStringValue('changing-flag', 'unset'))
    })
    expect(await client.getStringValue('changing-flag', 'unset')).toBe('foo')
    const { variations } = await made.engine.api.getFlag(
      { projectKey: place.projectKey, featureFlagKey: 'changing-flag' },
      { as: made.as },
    )
    const variationId = variations.find(({ value }) => value === 'bar')?._id
    await made.instruct('changing-flag', { kind: 'updateFallthroughVariationOrRollout', variationId })
    await expect.poll(() => changed).toEqual([['changing-flag']])
    expect(await Promise.all(seen)).toEqual(['bar'])
  })
})
