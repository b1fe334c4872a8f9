import type { ExportBatch, Exporter } from '@halyard/core'
import { type AwsExporterOptions, awsEndpoint, roleClients } from './aws-credentials.ts'
import { exchange, failureOf } from './http-exchange.ts'

/**
 * Makes the exporter to buckets of Amazon S3, with the destination's role and the external id of the trust policy. Each
 * batch is an object of NDJSON. A batch that is sent again replaces its object.
 */
export function s3Exporter(options: AwsExporterOptions): Exporter {
  const clientOf = roleClients(options)
  return {
    kind: 's3',
    async send(batch, signal) {
      const { region = '', bucket = '' } = batch.config
      const client = await clientOf(batch, 's3', signal)
      if ('outcome' in client) return client
      const url = `${options.endpoints?.s3 ?? awsEndpoint('s3', region)}/${bucket}/${objectKey(batch)}`
      const body = batch.events.map((event) => `${JSON.stringify(event)}\n`).join('')
      const request = await client.sign(url, {
        method: 'PUT',
        headers: { 'content-type': 'application/x-ndjson', 'x-amz-content-sha256': await sha256(body) },
        body,
      })
      const response = await exchange(request, {}, signal)
      return failureOf(response, 'S3') ?? { outcome: 'sent', status: 200 }
    },
  }
}

/** Returns the key of a batch: the day of its first event, and its id, so that keys are in the order of time. */
function objectKey({ id, projectKey, environmentKey, config, events }: ExportBatch): string {
  const time = new Date(events[0]?.time ?? 0).toISOString()
  const parts = [
    ...(config.prefix ?? '').split('/'),
    projectKey,
    environmentKey,
    time.slice(0, 10),
    `${time.slice(11)}-${id}.ndjson`,
  ]
  return parts
    .filter((part) => part !== '')
    .map(encodeURIComponent)
    .join('/')
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
