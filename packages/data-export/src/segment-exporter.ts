import type { ExportBatch, ExportedEvent, Exporter } from '@halyard/core'
import { base64 } from './base64.ts'
import { sendInChunks } from './event-chunks.ts'
import { eventName, eventProperties } from './event-name.ts'
import { exchange, failureOf } from './http-exchange.ts'

/** Options of the exporter to Segment. */
export interface SegmentExporterOptions {
  /** Base URL of the service, e.g. `https://events.eu1.segmentapis.com`. */
  readonly endpoint?: string
}

/** Limits of `batch`: 500 KB, 2,500 events, 32 KB for each event. */
const limits = { events: 1_000, bytes: 450_000, eventBytes: 32_000 }

/**
 * Makes the exporter to Segment. The key of the context kind `userIdContextKind` (default `user`) becomes the `userId`,
 * and the key of `anonymousIdContextKind` the `anonymousId`. Events with neither of the two ids are left out. A change
 * has the environment as `anonymousId`.
 */
export function segmentExporter({ endpoint = 'https://api.segment.io' }: SegmentExporterOptions = {}): Exporter {
  return {
    kind: 'segment',
    send(batch, signal) {
      const authorization = `Basic ${base64(`${batch.config.writeKey}:`)}`
      const encode = (event: ExportedEvent) => segmentEvent(event, batch.config)
      return sendInChunks(batch.events, limits, encode, async (chunk) => {
        const body = `{"batch":[${chunk.map(({ text }) => text).join(',')}]}`
        const headers = { authorization, 'content-type': 'application/json' }
        const response = await exchange(`${endpoint}/v1/batch`, { method: 'POST', headers, body }, signal)
        return failureOf(response, 'Segment') ?? 200
      })
    },
  }
}

function segmentEvent(event: ExportedEvent, config: ExportBatch['config']): string | undefined {
  const { userIdContextKind = 'user', anonymousIdContextKind } = config
  const isChange = event.kind === 'change'
  const userId = isChange ? undefined : event.contextKeys[userIdContextKind]
  const anonymousId = isChange
    ? `${event.projectKey}/${event.environmentKey}`
    : anonymousIdContextKind && event.contextKeys[anonymousIdContextKind]
  if (!userId && !anonymousId) return undefined
  return JSON.stringify({
    type: 'track',
    event: eventName(event),
    messageId: event.id,
    timestamp: new Date(event.time).toISOString(),
    userId,
    anonymousId: anonymousId || undefined,
    properties: eventProperties(event),
  })
}
