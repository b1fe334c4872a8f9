import { describe, expect, it } from 'vitest'
import { type ReceivedHeaders, signWebhook, verifyWebhook, type WebhookToVerify } from './index.ts'

const secret = 'a-secret-that-is-long-enough'
const sentAt = 1_700_000_000_000
const body = '{"kind":"flag","name":"Größe"}'
const headers = await signWebhook({ id: 'msg_1', timestampMs: sentAt, body, secrets: [secret] })
const verified = { verified: true, id: 'msg_1', sentAt }

const verify = (overrides: Partial<WebhookToVerify>) =>
  verifyWebhook({ secret, headers, body, now: sentAt, ...overrides })
const refusal = (reason: string) => ({ verified: false, reason })

describe('the input of verifyWebhook', () => {
  it.each<[string, ReceivedHeaders]>([
    ['a record', headers],
    [
      'a record with names in capitals',
      Object.fromEntries(Object.entries(headers).map(([k, v]) => [k.toUpperCase(), v])),
    ],
    ['a record without a prototype', Object.assign(Object.create(null), headers)],
    ['lists', Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))],
    ['Headers', new Headers(headers)],
    ['a function', (name) => headers[name]],
    ['a record with other headers', { ...headers, get: 'x', host: undefined, 'set-cookie': ['a', 'b'] }],
  ])('may have its headers as %s', async (_, headerValue) => {
    expect(await verify({ headers: headerValue })).toEqual(verified)
  })

  it('may have a body of text or bytes, also as part of a larger buffer', async () => {
    const bytes = Buffer.from(`..${body}..`)
    expect(await verify({ body: new TextEncoder().encode(body) })).toEqual(verified)
    expect(await verify({ body: bytes.subarray(2, -2) })).toEqual(verified)
    expect(await verify({ body: bytes })).toEqual(refusal('no-match'))
  })

  it('may be signed with any of several secrets', async () => {
    const otherSecret = 'another-secret-of-the-receiver'
    expect(await verify({ secret: undefined, secrets: [otherSecret, secret] })).toEqual(verified)
    expect(await verify({ secret: otherSecret, secrets: [secret] })).toEqual(verified)
    expect(await verify({ secret: undefined, secrets: [otherSecret] })).toEqual(refusal('no-match'))
  })

  it('must not have a parsed body', async () => {
    await expect(verify({ body: JSON.parse(body) })).rejects.toThrow(TypeError)
  })

  it.each<Partial<WebhookToVerify>>([
    { secret: undefined },
    { secret: undefined, secrets: [] },
    { secret: '' },
    { secrets: [secret, ''] },
    { now: Number.NaN },
    { now: undefined },
    { toleranceMs: Number.NaN },
    { toleranceMs: -1 },
  ])('cannot be %j', async (invalid) => {
    await expect(verify(invalid)).rejects.toThrow(RangeError)
  })
})

describe('verifyWebhook with an invalid message', () => {
  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('rejects a message without %s', async (name) => {
    for (const value of ['', undefined, []]) {
      expect(await verify({ headers: { ...headers, [name]: value } })).toEqual(refusal('missing-header'))
    }
    expect(await verify({ headers: (headerName) => (headerName === name ? null : headers[headerName]) })).toEqual(
      refusal('missing-header'),
    )
  })

  it('ignores headers on a prototype', async () => {
    expect(await verify({ headers: Object.create(headers) })).toEqual(refusal('missing-header'))
    const hostileHeaders = JSON.parse(`{"__proto__":${JSON.stringify(headers)},"constructor":"x"}`)
    expect(await verify({ headers: hostileHeaders })).toEqual(refusal('missing-header'))
  })

  it.each([
    'hello',
    '-1',
    '1.7e9',
    '1700000000.5',
    ' 1700000000',
    '0x6553F100',
    '1700000000, 1700000000',
    '9'.repeat(30),
  ])('rejects the timestamp %j', async (timestamp) => {
    const headerValue = { ...headers, 'webhook-timestamp': timestamp }
    expect(await verify({ headers: headerValue })).toEqual(refusal('bad-timestamp'))
  })

  it('rejects a message from more than five minutes ago, or in the future', async () => {
    expect(await verify({ now: sentAt + 300_000 })).toEqual(verified)
    expect(await verify({ now: sentAt + 300_001 })).toEqual(refusal('too-old'))
    expect(await verify({ now: sentAt - 300_000 })).toEqual(verified)
    expect(await verify({ now: sentAt - 300_001 })).toEqual(refusal('too-new'))
  })

  it('rejects a message that is older than the tolerance', async () => {
    expect(await verify({ now: sentAt + 10, toleranceMs: 10 })).toEqual(verified)
    expect(await verify({ now: sentAt + 11, toleranceMs: 10 })).toEqual(refusal('too-old'))
    expect(await verify({ now: sentAt, toleranceMs: 0 })).toEqual(verified)
    expect(await verify({ now: sentAt * 2, toleranceMs: Number.POSITIVE_INFINITY })).toEqual(verified)
  })

  it('rejects a timestamp that is written differently from the signed one', async () => {
    const headerValue = { ...headers, 'webhook-timestamp': `0${headers['webhook-timestamp']}` }
    expect(await verify({ headers: headerValue })).toEqual(refusal('no-match'))
  })

  const signature = headers['webhook-signature'] as string
  const [, base64] = signature.split(',') as [string, string]

  it.each([
    base64,
    `v2,${base64}`,
    `v1a,${base64}`,
    `V1,${base64}`,
    `v1, ${base64}`,
    `v1,${base64.slice(0, -1)}`,
    `v1,${base64}=`,
    'v1,',
    'v1',
    ',',
    ' ',
    `${signature},${signature}`,
    headers['X-SVC-Signature'] as string,
  ])('rejects the signature %j', async (headerValue) => {
    expect(await verify({ headers: { ...headers, 'webhook-signature': headerValue } })).toEqual(refusal('no-match'))
  })

  it('finds a valid signature among thousands of others', async () => {
    const otherSignatures = Array.from(
      { length: 5_000 },
      () => 'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc= v1a,x ',
    )
    const headerValue = { ...headers, 'webhook-signature': `${otherSignatures.join('')}${signature}` }
    expect(await verify({ headers: headerValue })).toEqual(verified)
  })

  it('rejects a repeated id', async () => {
    expect(await verify({ headers: { ...headers, 'Webhook-Id': 'msg_1' } })).toEqual(refusal('no-match'))
    expect(await verify({ headers: { ...headers, 'webhook-id': ['msg_1', 'msg_1'] } })).toEqual(refusal('no-match'))
  })

  it('rejects a message with bytes shifted from the body into the id', async () => {
    const timestamp = 1_700_000_000
    const innerBody = `{"version":"1.${timestamp}.2"}`
    const signed = await signWebhook({ id: 'msg_1', timestampMs: sentAt, body: innerBody, secrets: [secret] })
    const shifted = {
      headers: { ...signed, 'webhook-id': `msg_1.${timestamp}.{"version":"1`, 'webhook-timestamp': String(timestamp) },
      body: '2"}',
    }
    expect(await verify(shifted)).toEqual(refusal('no-match'))
  })

  it('rejects a message that has only a hex signature', async () => {
    const { 'webhook-signature': _, ...rest } = headers
    expect(await verify({ headers: rest })).toEqual(refusal('missing-header'))
  })
})
