import type { Exporter } from '@halyard/core'
import { base64OfBytes } from './base64.ts'
import { sendInChunks } from './event-chunks.ts'
import { exchange, failureOf } from './http-exchange.ts'

/** Options of the exporter to Azure Event Hubs. */
export interface AzureEventHubsExporterOptions {
  /** Base URL of the service. Default: the URL of Azure. */
  readonly endpoint?: string
}

/** Limits of a request: the basic tier allows 256 KB, and escaping the text of an event makes it longer. */
const limits = { events: 500, bytes: 150_000 }

/** Time for which a token is valid, seconds. */
const tokenSeconds = 600

/**
 * Makes the exporter to Azure Event Hubs. It authenticates by a shared access signature of the destination's policy
 * (https://learn.microsoft.com/rest/api/eventhub/generate-sas-token). All events of an environment have the same
 * partition key.
 */
export function azureEventHubsExporter({ endpoint }: AzureEventHubsExporterOptions = {}): Exporter {
  return {
    kind: 'azure-event-hubs',
    async send(batch, signal) {
      const { namespace = '', name = '', policyName = '', policyKey = '' } = batch.config
      // The namespace is a part of the host name, so it must not contain other characters.
      if (!/^[A-Za-z][A-Za-z0-9-]{4,48}[A-Za-z0-9]$/.test(namespace))
        return {
          outcome: 'failed',
          reason:
            'The namespace must have 6 to 50 letters, digits and hyphens, begin with a letter, ' +
            'and end with a letter or digit.',
        }
      const resource = `https://${namespace}.servicebus.windows.net/${encodeURIComponent(name)}`
      const authorization = await sharedAccessSignature(resource, policyName, policyKey)
      const origin = endpoint ?? `https://${namespace}.servicebus.windows.net`
      const url = `${origin}/${encodeURIComponent(name)}/messages?api-version=2014-01`
      const partitionKey = `${batch.projectKey}/${batch.environmentKey}`.slice(0, 128)
      return sendInChunks(batch.events, limits, JSON.stringify, async (chunk) => {
        const body = JSON.stringify(
          chunk.map(({ event: { id, kind }, text }) => ({
            Body: text,
            BrokerProperties: { PartitionKey: partitionKey },
            UserProperties: { eventId: id, kind },
          })),
        )
        const headers = { authorization, 'content-type': 'application/vnd.microsoft.servicebus.json' }
        const response = await exchange(url, { method: 'POST', headers, body }, signal)
        return failureOf(response, 'Event Hubs') ?? 201
      })
    },
  }
}

async function sharedAccessSignature(resource: string, policyName: string, policyKey: string): Promise<string> {
  const encoder = new TextEncoder()
  const expiry = Math.floor(Date.now() / 1000) + tokenSeconds
  const audience = encodeURIComponent(resource)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(policyKey), algorithm, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', key, encoder.encode(`${audience}\n${expiry}`))
  const encoded = encodeURIComponent(base64OfBytes(new Uint8Array(signature)))
  return `SharedAccessSignature sr=${audience}&sig=${encoded}&se=${expiry}&skn=${encodeURIComponent(policyName)}`
}
