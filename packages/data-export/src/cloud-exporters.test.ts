import { createSasTokenProvider } from '@azure/core-amqp'
import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { azureEventHubsExporter } from './azure-event-hubs-exporter.ts'
import { googlePubsubExporter } from './google-pubsub-exporter.ts'
import { batchOf, events, signal } from './test/batches.ts'
import { loopbackServer, type ReceivedRequest } from './test/loopback-server.ts'

const azureConfig = { namespace: 'shop-events', name: 'flags', policyName: 'send only', policyKey: 'k/e+y=' }
const email = 'export@shop.iam.gserviceaccount.com'

describe('googlePubsubExporter', () => {
  async function exporter(status = 200) {
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
    const { url, requests } = await loopbackServer(() => ({ status }))
    const serviceAccount = {
      client_email: email,
      private_key: await exportPKCS8(privateKey),
      private_key_id: 'key-1',
    }
    return { exporter: googlePubsubExporter({ serviceAccount, endpoint: url }), requests, publicKey }
  }

  it('publishes messages in order, with a token that the service account has signed', async () => {
    const { exporter: pubsub, requests, publicKey } = await exporter()
    const batch = batchOf({ project: 'shop', topic: 'flag events' })
    expect(await pubsub.send(batch, signal)).toEqual({ outcome: 'sent', status: 200 })
    const [request] = requests as [ReceivedRequest]
    expect(request.path).toBe('/v1/projects/shop/topics/flag%20events:publish')
    const { messages } = JSON.parse(request.body) as {
      messages: { data: string; attributes: object; orderingKey: string }[]
    }
    expect(messages.map(({ data }) => JSON.parse(Buffer.from(data, 'base64').toString()))).toEqual(events)
    expect(messages[0]).toMatchObject({
      attributes: { eventId: 'e1', kind: 'custom' },
      orderingKey: 'web/production',
    })
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
    const { payload, protectedHeader } = await jwtVerify(token, publicKey, {
      issuer: email,
      subject: email,
      audience: 'https://pubsub.googleapis.com/',
      maxTokenAge: '1m',
    })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(600)
    expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'key-1' })
    const other = await generateKeyPair('RS256')
    await expect(jwtVerify(token, other.publicKey)).rejects.toThrow()
  })

  it('fails with the status of the service', async () => {
    const { exporter: pubsub } = await exporter(429)
    expect(await pubsub.send(batchOf({ project: 'shop', topic: 't' }), signal)).toEqual({
      outcome: 'failed',
      reason: 'Pub/Sub responded with 429.',
      status: 429,
    })
  })
})

describe('azureEventHubsExporter', () => {
  /** Returns the token that the library of Azure makes for an expiry time with the key of the policy. */
  async function azureToken(expiry: number, key: string): Promise<string> {
    // The library makes tokens for an hour.
    vi.useFakeTimers({ toFake: ['Date'], now: (expiry - 3600) * 1000 })
    try {
      const provider = createSasTokenProvider({ sharedAccessKeyName: azureConfig.policyName, sharedAccessKey: key })
      return (await provider.getToken('https://shop-events.servicebus.windows.net/flags')).token
    } finally {
      vi.useRealTimers()
    }
  }

  it('sends events in order, with the token that the library of Azure makes', async () => {
    const { url, requests } = await loopbackServer(() => ({ status: 201 }))
    const exporter = azureEventHubsExporter({ endpoint: url })
    expect(await exporter.send(batchOf(azureConfig), signal)).toEqual({ outcome: 'sent', status: 201 })
    const [request] = requests as [ReceivedRequest]
    expect(request.path).toBe('/flags/messages?api-version=2014-01')
    expect(request.headers['content-type']).toBe('application/vnd.microsoft.servicebus.json')
    const received = JSON.parse(request.body) as { Body: string; BrokerProperties: object; UserProperties: object }[]
    expect(received.map(({ Body }) => JSON.parse(Body))).toEqual(events)
    expect(received[0]).toMatchObject({
      BrokerProperties: { PartitionKey: 'web/production' },
      UserProperties: { eventId: 'e1', kind: 'custom' },
    })
    const token = request.headers.authorization ?? ''
    const expiry = Number(/se=(\d+)/.exec(token)?.[1])
    expect(Math.abs(expiry - Date.now() / 1000 - 600)).toBeLessThan(60)
    expect(token).toBe(await azureToken(expiry, azureConfig.policyKey))
    expect(token).not.toBe(await azureToken(expiry, 'another'))
  })

  it.each(['evil.example/', 'a', 'x@evil.example', 'shop.events'])(
    'does not connect to the namespace %j, which is not a part of a host name',
    async (namespace) => {
      const { url, requests } = await loopbackServer()
      const exporter = azureEventHubsExporter({ endpoint: url })
      expect(await exporter.send(batchOf({ ...azureConfig, namespace }), signal)).toMatchObject({ outcome: 'failed' })
      expect(requests).toEqual([])
    },
  )
})
