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
import { passesErrorMessages } from './test/passes-error-messages.ts'
import { environment, specificationEngine } from './test/specification-project.ts'
import { type SpecifiedOutcome, specifiedOutcomes } from './test/specified-outcomes.ts'

let specification: Awaited<ReturnType<typeof specificationEngine>>
const stableClient = OpenFeature.getClient('stable')

beforeAll(async () => {
  specification = await specificationEngine()
  await OpenFeature.setProviderAndWait('stable', createHalyardProvider(specification.engine, environment))
})
afterAll(async () => {
  await OpenFeature.clearProviders()
  await specification.engine.close()
})

function detailsOf(
  client: Client,
  { key, type, fallback, context }: SpecifiedOutcome,
): Promise<EvaluationDetails<JsonValue>> {
  switch (type) {
    case 'Boolean':
      return client.getBooleanDetails(key, fallback as boolean, context)
    case 'String':
      return client.getStringDetails(key, fallback as string, context)
    case 'Number':
      return client.getNumberDetails(key, fallback as number, context)
    default:
      return client.getObjectDetails(key, fallback, context)
  }
}

describe('evaluation', () => {
  it.each(specifiedOutcomes)('returns the specified outcome: $scenario, $key as $type', async (specified) => {
    const { key, value, variant, reason, errorCode, errorMessage, metadata } = specified
    const before = structuredClone(specified.context)
    const details = await detailsOf(stableClient, specified)
    expect(details).toMatchObject({ flagKey: key, ...(reason === undefined ? {} : { reason }) })
    expect(details.value).toEqual(value)
    expect(details.errorCode).toBe(errorCode)
    if (errorCode === undefined) expect(details.errorMessage).toBeUndefined()
    else expect(details.errorMessage).toContain(((await passesErrorMessages()) && errorMessage) || '')
    if (variant !== undefined) expect(details.variant).toBe(variant)
    if (errorCode !== undefined || reason === 'DISABLED') expect(details.variant).toBeUndefined()
    if (metadata !== undefined) expect(details.flagMetadata).toEqual(metadata)
    // Scenario "Evaluation context immutability".
    expect(specified.context).toEqual(before)
    expect(Object.isFrozen(details.flagMetadata)).toBe(true)
  })
})

/** Scenarios of hooks.feature, and the scenario "Evaluation options with hooks". */
describe('hooks', () => {
  function recordingHook() {
    const stages: string[] = []
    const details: Partial<Record<string, object>> = {}
    const hook: Hook = {
      before: () => void stages.push('before'),
      after: (_, evaluationDetails) => {
        stages.push('after')
        details.after = evaluationDetails
      },
      error: () => void stages.push('error'),
      finally: (_, evaluationDetails) => {
        stages.push('finally')
        details.finally = evaluationDetails
      },
    }
    return { stages, details, hook }
  }

  it('run in the stages before, after and finally, with the evaluation details', async () => {
    const { stages, details, hook } = recordingHook()
    await stableClient.getBooleanDetails('boolean-flag', false, {}, { hooks: [hook] })
    const expected = { flagKey: 'boolean-flag', value: true, variant: 'on', reason: 'STATIC' }
    expect(stages).toEqual(['before', 'after', 'finally'])
    expect([details.after, details.finally]).toMatchObject([expected, expected])
    expect(details.finally).not.toHaveProperty('errorCode')
  })

  it.each([
    ['missing-flag', 'uh-oh', 'FLAG_NOT_FOUND'],
    ['wrong-flag', 13, 'TYPE_MISMATCH'],
  ])('run in the stages error and finally for %s', async (key, fallback, errorCode) => {
    const { stages, details, hook } = recordingHook()
    if (typeof fallback === 'string') await stableClient.getStringDetails(key, fallback, {}, { hooks: [hook] })
    else await stableClient.getNumberDetails(key, fallback, {}, { hooks: [hook] })
    expect(stages).toEqual(['before', 'error', 'finally'])
    expect(details.finally).toMatchObject({ flagKey: key, value: fallback, reason: 'ERROR', errorCode })
    expect(details.finally).not.toHaveProperty('variant')
  })
})

/** Scenarios of events.feature, and of events.feature and lifecycle.feature in provider-tck. */
describe('events', () => {
  it('include PROVIDER_READY when the environment is loaded', async () => {
    const ready = vi.fn()
    const client = OpenFeature.getClient('ready')
    client.addHandler(ProviderEvents.Ready, ready)
    ready.mockClear()
    await OpenFeature.setProviderAndWait('ready', createHalyardProvider(specification.engine, environment))
    await expect.poll(() => ready.mock.calls.length).toBe(1)
    expect(client.providerStatus).toBe(ProviderStatus.READY)
    expect(client.metadata.providerMetadata).toEqual({ name: 'halyard' })
  })

  it('include PROVIDER_ERROR when the environment does not exist', async () => {
    const failed = vi.fn()
    const client = OpenFeature.getClient('nowhere')
    client.addHandler(ProviderEvents.Error, failed)
    const nowhere = createHalyardProvider(specification.engine, { ...environment, environmentKey: 'nowhere' })
    await expect(OpenFeature.setProviderAndWait('nowhere', nowhere)).rejects.toMatchObject({ code: 'PROVIDER_FATAL' })
    await expect.poll(() => failed.mock.calls.length).toBe(1)
    expect(client.providerStatus).toBe(ProviderStatus.FATAL)
    expect(await client.getBooleanDetails('boolean-flag', false)).toMatchObject({
      value: false,
      reason: 'ERROR',
      errorCode: 'PROVIDER_FATAL',
    })
  })

  it('include PROVIDER_CONFIGURATION_CHANGED with the changed flag, after which the new value applies', async () => {
    const changed: unknown[] = []
    const values: Promise<string>[] = []
    stableClient.addHandler(ProviderEvents.ConfigurationChanged, (event) => {
      changed.push(event?.flagsChanged)
      values.push(stableClient.getStringValue('changing-flag', 'unset'))
    })
    expect(await stableClient.getStringValue('changing-flag', 'unset')).toBe('foo')
    const { variations } = await specification.engine.api.getFlag(
      { projectKey: environment.projectKey, flagKey: 'changing-flag' },
      { as: specification.as },
    )
    const variationId = variations.find(({ value }) => value === 'bar')?._id
    await specification.instruct('changing-flag', { kind: 'updateFallthroughVariationOrRollout', variationId })
    await expect.poll(() => changed).toEqual([['changing-flag']])
    expect(await Promise.all(values)).toEqual(['bar'])
  })
})
