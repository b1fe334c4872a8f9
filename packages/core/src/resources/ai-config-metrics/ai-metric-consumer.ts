import { type AIConfig, aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { type AIConfigVariation, aiConfigVariations } from '../../models/ai-configs/ai-config-variation.ts'
import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import { type AIMetricEvent, aiMetricEvent } from '../../rules/ai-metrics/ai-metric-event.ts'
import { addEvents } from '../../rules/ai-metrics/ai-metric-sums.ts'
import type { Change } from '../../storage/port.ts'
import type { EventConsumer, EventStorage } from '../sdk-events/event-consumer.ts'
import { writeChange } from '../sdk-events/write-change.ts'
import { type AIMetricHour, aiMetricHours, hourMs } from './ai-metric-hour.ts'

/**
 * Adds the measurements of AI configs to the sums of their hour. Measurements of configs and variations that do not
 * exist are left out, and so are measurements from senders without a secret, because anyone can send such measurements.
 */
export const aiMetricConsumer: EventConsumer<AIMetricEvent> = {
  take: ({ events, trusted }) =>
    trusted ? events.flatMap((event) => (event.kind === 'custom' ? (aiMetricEvent(event) ?? []) : [])) : [],

  async changes(storage, environmentKeys, events) {
    const configs = await readConfigs(storage, environmentKeys, [...new Set(events.map(({ configKey }) => configKey))])
    const known = events.flatMap((event) => knownEvent(configs, event) ?? [])
    const hours = byHour(known)
    const idOf = ({ configKey, from }: ConfigHour) => ({ ...environmentKeys, configKey, from: String(from) })
    const documents = await storage.getMany(hours.map((hour) => aiMetricHours.id(idOf(hour))))
    const measuredKeys = new Set(known.map(({ configKey }) => configKey))
    return [
      ...[...measuredKeys].map((configKey) => unchanged(environmentKeys, configs.get(configKey) as KnownConfig)),
      ...hours.map((hour, index) => {
        const { configKey, from, events } = hour
        const before = documents[index]?.body as AIMetricHour | undefined
        const variations = addEvents(before?.variations ?? [], events)
        return writeChange(aiMetricHours, idOf(hour), before, { configKey, from, variations })
      }),
    ]
  },
}

/** A config that exists, with the newest revision of each of its variations. */
interface KnownConfig {
  readonly config: AIConfig
  readonly revisions: ReadonlyMap<string, number>
}

async function readConfigs(
  storage: EventStorage,
  { projectKey }: EnvironmentKeys,
  configKeys: readonly string[],
): Promise<Map<string, KnownConfig>> {
  const stored = await storage.getMany(configKeys.map((configKey) => aiConfigs.id({ projectKey, configKey })))
  const configs = stored.flatMap((document) => (document ? [document.body as AIConfig] : []))
  const variations = configs.flatMap(({ key, variations }) => variations.map((variation) => [key, variation.key]))
  const documents = await storage.getMany(
    variations.map(([configKey, variationKey]) =>
      aiConfigVariations.id({ projectKey, configKey: configKey as string, variationKey: variationKey as string }),
    ),
  )
  const bodies = documents.flatMap((document) => (document ? [document.body as AIConfigVariation] : []))
  return new Map(
    configs.map((config) => {
      const configBodies = bodies.filter(({ configKey }) => configKey === config.key)
      return [config.key, { config, revisions: new Map(configBodies.map(({ key, revision }) => [key, revision])) }]
    }),
  )
}

/** Returns undefined for a variation that does not exist. A version that does not exist becomes 0. */
function knownEvent(configs: ReadonlyMap<string, KnownConfig>, event: AIMetricEvent): AIMetricEvent | undefined {
  const newest = configs.get(event.configKey)?.revisions.get(event.variationKey)
  if (newest === undefined) return undefined
  const { variationVersion } = event
  return variationVersion >= 0 && variationVersion <= newest ? event : { ...event, variationVersion: 0 }
}

/** The measurements of one config in one hour. */
interface ConfigHour {
  readonly configKey: string
  readonly from: number
  readonly events: AIMetricEvent[]
}

function byHour(events: readonly AIMetricEvent[]): ConfigHour[] {
  const hours = new Map<string, ConfigHour>()
  for (const event of events) {
    const { configKey, at } = event
    const from = at - (at % hourMs)
    const hour = hours.get(`${from}:${configKey}`) ?? { configKey, from, events: [] }
    hours.set(`${from}:${configKey}`, hour)
    hour.events.push(event)
  }
  return [...hours.values()]
}

/**
 * Returns the precondition that the config is unchanged. Without it, a concurrent deletion of the config would leave
 * sums, and a new config with the same key would get them.
 */
function unchanged({ projectKey }: EnvironmentKeys, { config }: KnownConfig): Change {
  return { do: 'expect', id: aiConfigs.id({ projectKey, configKey: config.key }), version: config.version }
}
