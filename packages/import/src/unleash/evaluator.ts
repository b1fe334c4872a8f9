import { EventEmitter } from 'node:events'
import type { EvaluationContext } from '@halyard/core/evaluation'
import type { EvaluationOutcome, OldEvaluator, ReadOptions } from '../flag-format.ts'
import { createKeyList } from '../imported-names.ts'
import { readUnleashExport, type UnleashEnvironment, type UnleashFeature } from './export.ts'
import { type UnleashValues, valuesByFeature } from './values.ts'

/** The part of `unleash-client` that is used. */
interface UnleashLibrary {
  readonly Unleash: new (config: object) => UnleashClient
}

interface UnleashClient {
  isEnabled(name: string, context: object, fallback: () => boolean): boolean
  getVariant(name: string, context: object): UnleashVariantResult
  destroy(): void
}

interface UnleashVariantResult {
  readonly name: string
  readonly enabled: boolean
  readonly payload?: { readonly type: string; readonly value: string }
}

/** Opens Unleash's own SDK on the features of the export instead of a server. */
export async function openUnleash(
  library: unknown,
  exported: readonly unknown[],
  options: ReadOptions,
): Promise<OldEvaluator> {
  const read = readUnleashExport(exported, options)
  if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
  const values = valuesByFeature(read.environments)
  const environmentKeys = createKeyList(read.environments.map(({ name }) => name))
  const clients = new Map(
    read.environments.map((strategy) => [
      environmentKeys.keyOf(strategy.name),
      clientOf(library as UnleashLibrary, strategy),
    ]),
  )
  return {
    evaluate({ environmentKey, from, context }) {
      const client = clients.get(environmentKey) as UnleashClient
      return evaluateFeature(
        client,
        { name: from, context: unleashContext(context) },
        values.get(from) as UnleashValues,
      )
    },
    close() {
      for (const client of clients.values()) client.destroy()
    },
  }
}

/** A feature, and the context for which it is evaluated. */
interface FeatureRequest {
  readonly name: string
  readonly context: object
}

function evaluateFeature(
  client: UnleashClient,
  { name, context }: FeatureRequest,
  values: UnleashValues,
): EvaluationOutcome {
  let isKnown = true
  const enabled = client.isEnabled(name, context, () => (isKnown = false))
  if (!isKnown) return { value: undefined, why: 'not sent to SDKs' }
  if (values.form === 'boolean') {
    return { value: enabled, why: enabled ? 'enabled' : 'not enabled' }
  }
  const variant = client.getVariant(name, context)
  const index = variant.enabled ? values.indexOf(variant) : values.disabled
  return { value: values.variations[index]?.value, why: `variant ${variant.name}` }
}

function clientOf({ Unleash }: UnleashLibrary, environment: UnleashEnvironment): UnleashClient {
  const repository = storedFeatures(environment)
  const client = new Unleash({
    url: 'http://127.0.0.1/',
    appName: 'halyard-import',
    repository,
    disableMetrics: true,
    disableAutoStart: true,
    skipInstanceCountWarning: true,
  })
  repository.emit('ready')
  return client
}

/** Stores features as the SDK does after receiving them from a server. */
function storedFeatures({ features, segments }: UnleashEnvironment): EventEmitter {
  const activeFeatures = features.filter(({ archived }) => archived !== true)
  const sdkFeatures = new Map(activeFeatures.map((feature) => [feature.name, sdkFeature(feature)]))
  return Object.assign(new EventEmitter(), {
    getToggle: (name: string) => sdkFeatures.get(name),
    getToggles: () => [...sdkFeatures.values()],
    getSegment: (id: number) => {
      const segment = segments.get(id)
      return segment?.constraints ? segment : undefined
    },
    start: async () => {},
    stop: () => {},
  })
}

/** Returns a feature as servers send it: without disabled strategies. */
function sdkFeature({ name, enabled, strategies, variants, dependencies }: UnleashFeature): object {
  return {
    name,
    enabled: enabled === true,
    variants: variants ?? [],
    dependencies: dependencies ?? [],
    strategies: (strategies ?? [])
      .filter(({ disabled }) => !disabled)
      .map((strategy) => ({
        ...strategy,
        parameters: strategy.parameters ?? {},
        segments: strategy.segments ?? [],
        variants: strategy.variants ?? [],
        constraints: (strategy.constraints ?? []).map((constraint) => ({
          ...constraint,
          values: constraint.values ?? [],
        })),
      })),
  }
}

const fields = ['sessionId', 'remoteAddress', 'environment', 'appName'] as const

/** Returns the SDK's context for a context of this engine. */
function unleashContext(context: EvaluationContext): object {
  const { kind: _, key, currentTime, ...attributes } = context
  const time = typeof currentTime === 'number' || typeof currentTime === 'string' ? new Date(currentTime) : undefined
  const contextFields = Object.fromEntries(fields.map((field) => [field, attributes[field]]))
  return { userId: key, ...contextFields, ...(time ? { currentTime: time } : {}), properties: attributes }
}
