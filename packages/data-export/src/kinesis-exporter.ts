import type { Exporter } from '@halyard/core'
import { type AwsExporterOptions, awsEndpoint, roleClients } from './aws-credentials.ts'
import { base64 } from './base64.ts'
import { sendInChunks } from './event-chunks.ts'
import { exchange, failureOf } from './http-exchange.ts'

/** Limits of `PutRecords`: 500 records, 5 MiB; the base64 of a record is a third longer than its event. */
const limits = { events: 500, bytes: 3_500_000, eventBytes: 700_000 }

/**
 * Makes the exporter to streams of Amazon Kinesis, with the destination's role and the external id of the trust policy.
 * A record is the JSON of an event. All events of an environment have the same partition key.
 */
export function kinesisExporter(options: AwsExporterOptions): Exporter {
  const clientOf = roleClients(options)
  return {
    kind: 'kinesis',
    async send(batch, signal) {
      const { region = '', streamName } = batch.config
      const client = await clientOf(batch, 'kinesis', signal)
      if ('outcome' in client) return client
      const url = `${options.endpoints?.kinesis ?? awsEndpoint('kinesis', region)}/`
      const partitionKey = `${batch.projectKey}/${batch.environmentKey}`.slice(0, 256)
      return sendInChunks(batch.events, limits, JSON.stringify, async (chunk) => {
        const records = chunk.map(({ text }) => ({ Data: base64(text), PartitionKey: partitionKey }))
        const request = await client.sign(url, {
          method: 'POST',
          headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'Kinesis_20131202.PutRecords' },
          body: JSON.stringify({ StreamName: streamName, Records: records }),
        })
        const response = await exchange(request, {}, signal)
        const failure = failureOf(response, 'Kinesis')
        if (failure) return failure
        // A response of 200 can report that the stream stored only some of the records.
        return 'body' in response && /"FailedRecordCount"\s*:\s*0\b/.test(response.body)
          ? response.status
          : { outcome: 'failed', reason: 'Kinesis did not store all records.', status: 200 }
      })
    },
  }
}
