import type { ExportBatch, ExportedEvent, Exporter } from '@halyard/core'
import { base64 } from './base64.ts'
import { sendInChunks } from './event-chunks.ts'
import { eventName, eventProperties } from './event-name.ts'
import { exchange, failureOf } from './http-exchange.ts'

/** Options of the exporter to mParticle. */
export interface MparticleExporterOptions {
  /** Base URL of the service, e.g. `https://s2s.eu1.mparticle.com`. Default: `https://s2s.mparticle.com`. */
  readonly endpoint?: string
}

/** Limits of `bulkevents`: 100 batches; each event is a batch, because a batch has one user. */
const limits = { events: 100, bytes: 500_000, eventBytes: 100_000 }

/**
 * Makes the exporter to mParticle. The key of a context of the kind `user` is the identity that `userIdentity` names;
 * without such a context, the first key is the identity that `anonymousUserIdentity` names.
 */
export function mparticleExporter({ endpoint = 'https://s2s.mparticle.com' }: MparticleExporterOptions = {}): Exporter {
  return {
    kind: 'mparticle',
    send(batch, signal) {
      const authorization = `Basic ${base64(`${batch.config.apiKey}:${batch.config.secret}`)}`
      const encode = (event: ExportedEvent) => mparticleBatch(event, batch.config)
      return sendInChunks(batch.events, limits, encode, async (chunk) => {
        const body = `[${chunk.map(({ text }) => text).join(',')}]`
        const headers = { authorization, 'content-type': 'application/json' }
        const response = await exchange(`${endpoint}/v2/bulkevents`, { method: 'POST', headers, body }, signal)
        return failureOf(response, 'mParticle') ?? 202
      })
    },
  }
}

function mparticleBatch(event: ExportedEvent, config: ExportBatch['config']): string {
  return JSON.stringify({
    environment: config.environment ?? 'production',
    user_identities: identitiesOf(event, config),
    source_request_id: event.id,
    events: [
      {
        event_type: 'custom_event',
        data: {
          event_name: eventName(event),
          custom_event_type: 'other',
          timestamp_unixtime_ms: event.time,
          source_message_id: event.id,
          custom_attributes: attributesOf(event),
        },
      },
    ],
  })
}

function identitiesOf(event: ExportedEvent, config: ExportBatch['config']): Readonly<Record<string, string>> {
  const { userIdentity = '', anonymousUserIdentity = '' } = config
  if (event.kind === 'change') return { [anonymousUserIdentity]: `${event.projectKey}/${event.environmentKey}` }
  const { user, ...others } = event.contextKeys
  if (user !== undefined) return { [userIdentity]: user }
  const [key] = Object.values(others)
  return key === undefined ? {} : { [anonymousUserIdentity]: key }
}

/** Attributes of mParticle are texts. */
function attributesOf(event: ExportedEvent): Readonly<Record<string, string>> {
  const entries = Object.entries(eventProperties(event)).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}
