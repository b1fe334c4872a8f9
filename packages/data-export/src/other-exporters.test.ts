import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fetchSender } from '@halyard/core/webhooks'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fileExporter } from './file-exporter.ts'
import { httpNdjsonExporter } from './http-ndjson-exporter.ts'
import { dataExporters } from './index.ts'
import { mparticleExporter } from './mparticle-exporter.ts'
import { segmentExporter } from './segment-exporter.ts'
import { batchOf, customEvent, evaluation, events, signal } from './test/batches.ts'
import { loopbackServer, type ReceivedRequest } from './test/loopback-server.ts'

/** Parses the header of basic authentication, as the platform's URL parser does with credentials. */
const basicCredentials = ({ headers }: ReceivedRequest) =>
  Buffer.from(headers.authorization?.replace(/^Basic /, '') ?? '', 'base64').toString()

describe('segmentExporter', () => {
  it('sends tracks with the configured context kinds, authenticated by the write key', async () => {
    const { url, requests } = await loopbackServer()
    const exporter = segmentExporter({ endpoint: url })
    const config = { writeKey: 'wk', userIdContextKind: 'user', anonymousIdContextKind: 'device' }
    expect(await exporter.send(batchOf(config), signal)).toEqual({ outcome: 'sent', status: 200 })
    const [request] = requests as [ReceivedRequest]
    expect(request.path).toBe('/v1/batch')
    expect(basicCredentials(request)).toBe('wk:')
    const { batch } = JSON.parse(request.body)
    expect(batch).toMatchObject([
      { type: 'track', event: 'purchase', messageId: 'e1', userId: 'ann', anonymousId: 'd-1' },
      { event: 'Flag Evaluated', messageId: 'e2', userId: 'ann', properties: { flagKey: 'checkout', value: true } },
      { event: 'Flag Configuration Changed', messageId: 'e3', anonymousId: 'web/production' },
    ])
    expect(batch[0].timestamp).toBe('2026-01-02T03:04:05.000Z')
  })

  it('omits events of contexts without a configured kind, and events of more than 32 KB', async () => {
    const { url, requests } = await loopbackServer()
    const unidentified = evaluation('e9', { contextKeys: { org: 'acme' } })
    const batch = batchOf(
      { writeKey: 'wk' },
      { events: [unidentified, customEvent('e8', { data: 'x'.repeat(33_000) })] },
    )
    expect(await segmentExporter({ endpoint: url }).send(batch, signal)).toEqual({ outcome: 'sent', skipped: 2 })
    expect(requests).toEqual([])
  })
})

describe('mparticleExporter', () => {
  it('sends a batch per event with the configured identities, authenticated by key and secret', async () => {
    const { url, requests } = await loopbackServer(() => ({ status: 202 }))
    const exporter = mparticleExporter({ endpoint: url })
    const config = { apiKey: 'ak', secret: 'as', userIdentity: 'customer_id', anonymousUserIdentity: 'other' }
    const batch = batchOf(config, { events: [...events, evaluation('e4', { contextKeys: { org: 'acme' } })] })
    expect(await exporter.send(batch, signal)).toEqual({ outcome: 'sent', status: 202 })
    const [request] = requests as [ReceivedRequest]
    expect(request.path).toBe('/v2/bulkevents')
    expect(basicCredentials(request)).toBe('ak:as')
    const received = JSON.parse(request.body)
    expect(received).toMatchObject([
      { environment: 'production', user_identities: { customer_id: 'ann' }, source_request_id: 'e1' },
      { user_identities: { customer_id: 'ann' } },
      { user_identities: { other: 'web/production' } },
      { user_identities: { other: 'acme' } },
    ])
    expect(received[0].events[0].data).toMatchObject({
      event_name: 'purchase',
      timestamp_unixtime_ms: Date.UTC(2026, 0, 2, 3, 4, 5),
      custom_attributes: { metricValue: '12.5', contextKeys: '{"user":"ann","device":"d-1"}' },
    })
  })
})

describe('httpNdjsonExporter', () => {
  const send = fetchSender({ allowPrivate: true })

  it('posts NDJSON with the signature of Standard Webhooks, and the configured header', async () => {
    const { url, requests } = await loopbackServer()
    const secret = `whsec_${Buffer.from('a secret of many bytes').toString('base64')}`
    const batch = batchOf({ url, secret, authorization: 'Bearer t' })
    expect(await httpNdjsonExporter({ send }).send(batch, signal)).toEqual({ outcome: 'sent', status: 200 })
    const [request] = requests as [ReceivedRequest]
    expect(
      request.body
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(events)
    expect(request.headers).toMatchObject({ authorization: 'Bearer t', 'content-type': 'application/x-ndjson' })
    const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = request.headers
    const signatureOf = (body: string) => new Webhook(secret).sign(String(id), new Date(Number(time) * 1000), body)
    expect(id).toBe('e1')
    expect(signature).toBe(signatureOf(request.body))
    expect(signature).not.toBe(signatureOf(`${request.body} `))
  })

  it('does not connect to private networks with the sender for public addresses', async () => {
    const { url, requests } = await loopbackServer()
    const exporter = httpNdjsonExporter({ send: fetchSender() })
    expect(await exporter.send(batchOf({ url }), signal)).toMatchObject({ outcome: 'failed' })
    expect(requests).toEqual([])
  })

  it('fails with the status and the Retry-After of the server, and follows no redirect', async () => {
    const { url } = await loopbackServer(() => ({ status: 307, headers: { 'retry-after': '9', location: '/x' } }))
    expect(await httpNdjsonExporter({ send }).send(batchOf({ url }), signal)).toEqual({
      outcome: 'failed',
      reason: 'The server responded with 307.',
      status: 307,
      retryAfter: '9',
    })
  })
})

describe('fileExporter', () => {
  function directory(): string {
    const created = mkdtempSync(path.join(tmpdir(), 'data-export-'))
    onTestFinished(() => rmSync(created, { recursive: true }))
    return created
  }

  it('appends a line per event, after an incomplete line of a process that ended', async () => {
    const dir = directory()
    const file = path.join(dir, 'events.ndjson')
    const exporter = fileExporter({ directory: dir })
    await exporter.send(batchOf({ name: 'events.ndjson' }), signal)
    writeFileSync(file, '{"id":"e', { flag: 'a' })
    await exporter.send(batchOf({ name: 'events.ndjson' }), signal)
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    expect(lines.filter((line) => line !== '{"id":"e').map((line) => JSON.parse(line))).toEqual([...events, ...events])
  })

  it.each(['../x', 'a/b', '', '..', '/etc/passwd'])(
    'refuses the name %j, which could lead out of the directory',
    async (name) => {
      expect(await fileExporter({ directory: directory() }).send(batchOf({ name }), signal)).toEqual({
        outcome: 'failed',
        reason: 'The file name is invalid.',
      })
    },
  )

  it('fails when the file cannot be written, without the path', async () => {
    const exporter = fileExporter({ directory: path.join(directory(), 'missing') })
    expect(await exporter.send(batchOf({ name: 'x' }), signal)).toEqual({
      outcome: 'failed',
      reason: 'The file could not be written.',
    })
  })
})

describe('dataExporters', () => {
  it('has an exporter for each kind whose options are present', () => {
    const kinds = dataExporters().map(({ kind }) => kind)
    expect(kinds.toSorted()).toEqual(['azure-event-hubs', 'mparticle', 'segment'])
    const all = dataExporters({
      aws: { credentials: { accessKeyId: 'a', secretAccessKey: 'b' } },
      google: { serviceAccount: { client_email: 'a', private_key: 'b' } },
      http: { send: fetchSender() },
      file: { directory: '.' },
    }).map(({ kind }) => kind)
    expect(new Set(all).size).toBe(8)
    expect(all).toEqual(expect.arrayContaining(['kinesis', 's3', 'google-pubsub', 'http-ndjson', 'file']))
  })
})

describe('an exporter whose destination does not respond', () => {
  it('fails when its signal is aborted', async () => {
    const { url } = await loopbackServer()
    const exporter = segmentExporter({ endpoint: url })
    expect(await exporter.send(batchOf({ writeKey: 'wk' }), AbortSignal.abort())).toEqual({
      outcome: 'failed',
      reason: 'No response in time.',
    })
  })
})
