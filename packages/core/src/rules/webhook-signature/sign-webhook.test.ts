import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { signWebhook, verifyWebhook } from './index.ts'

const message = { id: '018f6f0e-7f52-4e0a-9a53-0d5b1f6f6f6f', timestampMs: 1_700_000_000_999, body: '{"a":"ä 😀"}' }
const textSecret = 'a-secret-that-is-long-enough'
const prefixedSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'

describe('signWebhook', () => {
  it('returns the signature that Standard Webhooks publishes', async () => {
    const signed = await signWebhook({
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestampMs: 1614265330 * 1000,
      body: '{"test": 2432232314}',
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    })
    expect(signed['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })

  /** Test case 2 of RFC 4231. */
  it('returns the hex HMAC-SHA256 of the body', async () => {
    const signed = await signWebhook({
      ...message,
      body: 'what do ya want for nothing?',
      secrets: ['Jefe', textSecret],
    })
    expect(signed['X-SVC-Signature']).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843')
  })

  it('returns the id, and the time in whole seconds, rounded down', async () => {
    const signed = await signWebhook({ ...message, secrets: [textSecret] })
    expect(Object.keys(signed).sort()).toEqual([
      'X-SVC-Signature',
      'webhook-id',
      'webhook-signature',
      'webhook-timestamp',
    ])
    expect(signed).toMatchObject({ 'webhook-id': message.id, 'webhook-timestamp': '1700000000' })
  })

  it('returns one signature per secret, in their order', async () => {
    const { 'webhook-signature': combined } = await signWebhook({ ...message, secrets: [textSecret, prefixedSecret] })
    const [first, second] = await Promise.all(
      [textSecret, prefixedSecret].map((secret) => signWebhook({ ...message, secrets: [secret] })),
    )
    expect(combined).toBe(`${first?.['webhook-signature']} ${second?.['webhook-signature']}`)
  })

  it('returns no signature without secrets', async () => {
    const signed = await signWebhook({ ...message, secrets: [] })
    expect(signed).toEqual({ 'webhook-id': message.id, 'webhook-timestamp': '1700000000' })
  })

  it.each(['', 'a.1', 'a b', 'ä', 'a\r\nx-more: 1', 'a\0', 'x'.repeat(257)])('rejects the id %j', async (id) => {
    await expect(signWebhook({ ...message, id, secrets: [textSecret] })).rejects.toThrow(RangeError)
  })

  it('rejects an empty secret', async () => {
    await expect(signWebhook({ ...message, secrets: [textSecret, ''] })).rejects.toThrow('secret: must not be empty')
  })
})

describe('a secret', () => {
  /** Returns the signature that Node computes with a key, independently of the implementation under test. */
  const signatureByNode = (key: Buffer) =>
    `v1,${createHmac('sha256', key).update(`${message.id}.1700000000.${message.body}`).digest('base64')}`
  const signedWith = async (secret: string) =>
    (await signWebhook({ ...message, secrets: [secret] }))['webhook-signature']

  it.each([
    textSecret,
    'Ünïcode 😀',
    'whsec_',
    'whsec_not base64',
    'whsec_A',
    'whsec_AAAA=',
    'WHSEC_AAAA',
    ' whsec_AAAA',
    'x'.repeat(300),
  ])('is used as text: %j', async (secret) => {
    expect(await signedWith(secret)).toBe(signatureByNode(Buffer.from(secret)))
  })

  it.each(['whsec_AAAA', 'whsec_AA==', 'whsec_AA', 'whsec_AAA', prefixedSecret])(
    'is decoded from base64: %j',
    async (secret) => {
      expect(await signedWith(secret)).toBe(signatureByNode(Buffer.from(secret.slice('whsec_'.length), 'base64')))
    },
  )
})

describe('the signature of the body', () => {
  it.each([textSecret, prefixedSecret])('uses the text of the secret %s as its key', async (secret) => {
    const expected = createHmac('sha256', secret).update(message.body).digest('hex')
    expect((await signWebhook({ ...message, secrets: [secret] }))['X-SVC-Signature']).toBe(expected)
  })
})

describe('another implementation of the standard', () => {
  const [oldSecret, newSecret] = [prefixedSecret, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']
  /** The published library that this test compares with reads the time from the platform's clock. */
  const current = { ...message, timestampMs: Date.now() }

  it('accepts our messages', async () => {
    const signed = await signWebhook({ ...current, secrets: [prefixedSecret] })
    expect(new Webhook(prefixedSecret).verify(current.body, signed)).toEqual({ a: 'ä 😀' })
    const signedWithText = await signWebhook({ ...current, secrets: [textSecret] })
    expect(new Webhook(textSecret, { format: 'raw' }).verify(current.body, signedWithText)).toEqual({ a: 'ä 😀' })
  })

  it('accepts our messages with either of two secrets', async () => {
    const signed = await signWebhook({ ...current, secrets: [newSecret, oldSecret] })
    for (const secret of [oldSecret, newSecret])
      expect(new Webhook(secret).verify(current.body, signed)).toEqual({ a: 'ä 😀' })
    const otherReceiver = new Webhook('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
    expect(() => otherReceiver.verify(current.body, signed)).toThrow('No matching signature found')
  })

  it('creates messages that we accept with either of two secrets', async () => {
    const date = new Date(message.timestampMs)
    const signatures = [oldSecret, newSecret].map((secret) => new Webhook(secret).sign(message.id, date, message.body))
    const headers = {
      'webhook-id': message.id,
      'webhook-timestamp': '1700000000',
      'webhook-signature': signatures.join(' '),
    }
    for (const secret of [oldSecret, newSecret]) {
      expect(await verifyWebhook({ secret, headers, body: message.body, now: message.timestampMs })).toEqual({
        verified: true,
        id: message.id,
        sentAt: 1_700_000_000_000,
      })
    }
  })
})
