import type { ExportBatch, Exporter } from '@halyard/core'
import { type Send, signWebhook } from '@halyard/core/webhooks'
import { sendInChunks } from './event-chunks.ts'

/** Options of the exporter to any server. */
export interface HttpNdjsonExporterOptions {
  /**
   * Sends the requests: a sender that does not connect to private networks, because the URL of a destination comes from
   * a caller. On Node, `createWebhookSender()` of `@halyard/webhook-sender`.
   */
  readonly send: Send
}

/** Limits of a request, which most servers accept. */
const limits = { events: 500, bytes: 900_000 }

const timeoutMs = 30_000

/**
 * Makes the exporter to any HTTP server: a POST of NDJSON, one event per line. With `secret`, the request has the
 * headers of Standard Webhooks; with `authorization`, it has that header.
 */
export function httpNdjsonExporter({ send }: HttpNdjsonExporterOptions): Exporter {
  return {
    kind: 'http-ndjson',
    send(batch, signal) {
      const { url = '' } = batch.config
      const encode = (event: ExportBatch['events'][number]) => `${JSON.stringify(event)}\n`
      return sendInChunks(batch.events, limits, encode, async (chunk) => {
        const body = chunk.map(({ text }) => text).join('')
        const headers = await headersOf(batch, chunk[0]?.event.id ?? batch.id, body)
        const result = await send({ url, headers, body, timeoutMs, signal })
        if (result.outcome === 'failed') return { outcome: 'failed', reason: result.reason }
        const { status, retryAfter } = result
        if (status >= 200 && status < 300) return status
        const reason = `The server responded with ${status}.`
        return { outcome: 'failed', reason, status, ...(retryAfter === undefined ? {} : { retryAfter }) }
      })
    },
  }
}

async function headersOf({ config }: ExportBatch, id: string, body: string): Promise<Record<string, string>> {
  const { secret, authorization } = config
  return {
    'content-type': 'application/x-ndjson',
    'user-agent': 'halyard-data-export',
    ...(authorization === undefined ? {} : { authorization }),
    ...(secret === undefined ? {} : await signWebhook({ id, timestampMs: Date.now(), body, secrets: [secret] })),
  }
}
