import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { kinesisExporter } from './kinesis-exporter.ts'
import { s3Exporter } from './s3-exporter.ts'
import { batchOf, customEvent, events, signal } from './test/batches.ts'
import { loopbackServer, type ReceivedRequest, type ServerResponse } from './test/loopback-server.ts'
import { hasAwsSignature } from './test/verify-aws-signature.ts'

const configuredCredentials = { accessKeyId: 'AKIAOWN', secretAccessKey: 'own-secret', sessionToken: 'own-session' }
const assumed = { accessKeyId: 'ASIAROLE', secretAccessKey: 'role/secret+1', sessionToken: 'role-session==' }
const roleArn = 'arn:aws:iam::123456789012:role/export'
const kinesisConfig = { region: 'eu-central-1', roleArn, streamName: 'flags' }
const s3Config = { region: 'eu-central-1', roleArn, bucket: 'shop-flags', prefix: 'halyard/flag data' }
const stored = { body: '{"FailedRecordCount":0,"Records":[]}' }

function stsResponse(expiration: string): ServerResponse {
  return {
    body: `<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>${assumed.accessKeyId}</AccessKeyId><SecretAccessKey>${assumed.secretAccessKey}</SecretAccessKey><SessionToken>${assumed.sessionToken}</SessionToken><Expiration>${expiration}</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`,
  }
}

/** Makes an exporter with the services on loopback. */
async function exporterOf(
  make: typeof kinesisExporter,
  respond: (request: ReceivedRequest) => ServerResponse = () => stored,
  expiration = '2999-01-01T00:00:00Z',
) {
  const sts = await loopbackServer(() => stsResponse(expiration))
  const service = await loopbackServer(respond)
  const exporter = make({
    credentials: async () => configuredCredentials,
    endpoints: { sts: sts.url, kinesis: service.url, s3: service.url },
  })
  return { exporter, sts: sts.requests, service: service.requests }
}

describe('the role of a destination', () => {
  it('is assumed with the external id, by a request with the signature of AWS', async () => {
    const { exporter, sts } = await exporterOf(kinesisExporter)
    await exporter.send(batchOf(kinesisConfig), signal)
    const [request] = sts as [ReceivedRequest]
    expect(Object.fromEntries(new URLSearchParams(request.body))).toEqual({
      Action: 'AssumeRole',
      Version: '2011-06-15',
      RoleArn: roleArn,
      RoleSessionName: 'data-export',
      ExternalId: 'external-1',
    })
    expect(await hasAwsSignature(request, configuredCredentials, 'sts')).toBe(true)
    expect(await hasAwsSignature({ ...request, body: `${request.body}&x=y` }, configuredCredentials, 'sts')).toBe(false)
  })

  it('is assumed once until its credentials end', async () => {
    const lasting = await exporterOf(kinesisExporter)
    for (let n = 0; n < 3; n++) await lasting.exporter.send(batchOf(kinesisConfig), signal)
    expect(lasting.sts).toHaveLength(1)
    const ending = await exporterOf(kinesisExporter, undefined, new Date(Date.now() + 60_000).toISOString())
    for (let n = 0; n < 3; n++) await ending.exporter.send(batchOf(kinesisConfig), signal)
    expect(ending.sts).toHaveLength(3)
  })

  it('is assumed again for another external id', async () => {
    const { exporter, sts } = await exporterOf(kinesisExporter)
    await exporter.send(batchOf(kinesisConfig), signal)
    await exporter.send(batchOf(kinesisConfig, { externalId: 'external-2' }), signal)
    expect(sts).toHaveLength(2)
  })

  it('is not assumed without an external id', async () => {
    const { exporter, sts } = await exporterOf(s3Exporter)
    const reason = 'No trust policy was generated for the environment of the destination.'
    expect(await exporter.send(batchOf(s3Config, { externalId: undefined }), signal)).toEqual({
      outcome: 'failed',
      reason,
    })
    expect(sts).toEqual([])
  })

  it('fails with the status of a refusal, without its text', async () => {
    const sts = await loopbackServer(() => ({ status: 403, body: '<Message>not authorized: secret</Message>' }))
    const exporter = kinesisExporter({ credentials: configuredCredentials, endpoints: { sts: sts.url } })
    expect(await exporter.send(batchOf(kinesisConfig), signal)).toEqual({
      outcome: 'failed',
      reason: 'The Security Token Service responded with 403.',
      status: 403,
    })
  })
})

describe('kinesisExporter', () => {
  it('puts records in order, signed with the credentials of the role', async () => {
    const { exporter, service } = await exporterOf(kinesisExporter)
    expect(await exporter.send(batchOf(kinesisConfig), signal)).toEqual({ outcome: 'sent', status: 200 })
    const [request] = service as [ReceivedRequest]
    expect(request.headers['x-amz-target']).toBe('Kinesis_20131202.PutRecords')
    const { StreamName, Records } = JSON.parse(request.body)
    expect(StreamName).toBe('flags')
    expect(Records.map(({ Data }: { Data: string }) => JSON.parse(Buffer.from(Data, 'base64').toString()))).toEqual(
      events,
    )
    expect(new Set(Records.map(({ PartitionKey }: { PartitionKey: string }) => PartitionKey))).toEqual(
      new Set(['web/production']),
    )
    expect(await hasAwsSignature(request, assumed, 'kinesis')).toBe(true)
    expect(await hasAwsSignature(request, { ...assumed, secretAccessKey: 'other' }, 'kinesis')).toBe(false)
  })

  it('fails when the stream stored only some of the records', async () => {
    const { exporter } = await exporterOf(kinesisExporter, () => ({ body: '{"FailedRecordCount":1,"Records":[]}' }))
    expect(await exporter.send(batchOf(kinesisConfig), signal)).toMatchObject({
      outcome: 'failed',
      reason: 'Kinesis did not store all records.',
    })
  })

  it('omits an event that is larger than a record, and splits by number', async () => {
    const { exporter, service } = await exporterOf(kinesisExporter)
    const many = Array.from({ length: 501 }, (_, i) => customEvent(`e${i}`))
    const large = customEvent('large', { data: 'x'.repeat(800_000) })
    expect(await exporter.send(batchOf(kinesisConfig, { events: [large, ...many] }), signal)).toMatchObject({
      outcome: 'sent',
      skipped: 1,
    })
    expect(service.map(({ body }) => JSON.parse(body).Records.length)).toEqual([500, 1])
  })
})

describe('s3Exporter', () => {
  it('puts an object of NDJSON, signed with the credentials of the role', async () => {
    const { exporter, service } = await exporterOf(s3Exporter)
    expect(await exporter.send(batchOf(s3Config), signal)).toEqual({ outcome: 'sent', status: 200 })
    const [request] = service as [ReceivedRequest]
    expect(request).toMatchObject({
      method: 'PUT',
      path: '/shop-flags/halyard/flag%20data/web/production/2026-01-02/03%3A04%3A05.000Z-batch-1.ndjson',
    })
    expect(
      request.body
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(events)
    const hash = createHash('sha256').update(request.body).digest('hex')
    expect(request.headers['x-amz-content-sha256']).toBe(hash)
    expect(await hasAwsSignature(request, assumed, 's3')).toBe(true)
    expect(await hasAwsSignature({ ...request, path: `${request.path}x` }, assumed, 's3')).toBe(false)
  })

  it('fails with the status and the Retry-After of the service', async () => {
    const { exporter } = await exporterOf(s3Exporter, () => ({ status: 503, headers: { 'retry-after': '7' } }))
    expect(await exporter.send(batchOf(s3Config), signal)).toEqual({
      outcome: 'failed',
      reason: 'S3 responded with 503.',
      status: 503,
      retryAfter: '7',
    })
  })
})
