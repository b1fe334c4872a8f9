import fc from 'fast-check'
import { expect, it } from 'vitest'
import { signWebhook, verifyWebhook } from './index.ts'

const id = fc.stringMatching(/^[!-~]{1,40}$/).filter((text) => !text.includes('.'))
const secret = fc.string({ unit: 'binary', minLength: 1, maxLength: 80 })
/** Random secrets as the API accepts them. For HMAC itself, `a` and `a\\0` are the same key. */
const printable = fc.stringMatching(/^[!-~]{16,80}$/)
const secrets = fc.uniqueArray(secret, { minLength: 1, maxLength: 4 })
const timestampMs = fc.integer({ min: 0, max: 4_000_000_000_000 })
const body = fc.string({ unit: 'binary', maxLength: 200 })

/** Returns the text with one character changed. */
const changeCharacter = (text: string, position: number, offset: number) => {
  const index = position % text.length
  const code = 33 + ((text.charCodeAt(index) - 33 + 1 + (offset % 93)) % 94)
  return `${text.slice(0, index)}${String.fromCharCode(code)}${text.slice(index + 1)}`
}

it('verifyWebhook accepts every message that was signed with one of its secrets', async () => {
  const property = fc.asyncProperty(
    id,
    secrets,
    secrets,
    timestampMs,
    body,
    async (id, ours, theirs, timestampMs, body) => {
      const headers = await signWebhook({ id, timestampMs, body, secrets: ours })
      const input = { headers, now: timestampMs, toleranceMs: 1_000 }
      const sentAt = timestampMs - (timestampMs % 1000)
      for (const secretUsed of ours) {
        const received = { ...input, secrets: [...theirs, secretUsed], body: new TextEncoder().encode(body) }
        expect(await verifyWebhook(received)).toEqual({ verified: true, id, sentAt })
      }
    },
  )
  await fc.assert(property)
})

it('verifyWebhook rejects a message if any byte is changed', async () => {
  const property = fc.asyncProperty(
    fc.record({ id, secret, timestampMs, body, at: fc.nat(), by: fc.nat() }),
    async ({ id, secret, timestampMs, body, at, by }) => {
      const headers = await signWebhook({ id, timestampMs, body, secrets: [secret] })
      const all = { secret, headers, body: new TextEncoder().encode(body), now: timestampMs, toleranceMs: Infinity }
      expect((await verifyWebhook(all)).verified).toBe(true)
      for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
        const changed = { ...headers, [name]: changeCharacter(headers[name] as string, at, by) }
        expect((await verifyWebhook({ ...all, headers: changed })).verified).toBe(false)
      }
      if (all.body.length === 0) return
      const changed = Uint8Array.from(all.body)
      changed[at % changed.length]! ^= 1 + (by % 255)
      expect((await verifyWebhook({ ...all, body: changed })).verified).toBe(false)
    },
  )
  await fc.assert(property)
})

it('verifyWebhook rejects another secret, and returns a result for any headers', async () => {
  const property = fc.asyncProperty(
    fc.tuple(printable, printable).filter(([secretUsed, otherSecret]) => secretUsed !== otherSecret),
    fc.dictionary(
      fc.constantFrom('webhook-id', 'webhook-timestamp', 'webhook-signature', '__proto__'),
      fc.oneof(fc.string({ unit: 'binary' }), fc.array(fc.string()), fc.constantFrom('1', 'v1,')),
    ),
    async ([secretUsed, otherSecret], hostileHeaders) => {
      const headers = await signWebhook({ id: 'a', timestampMs: 0, body: '', secrets: [secretUsed] })
      const input = { secret: otherSecret, body: '', now: 0 }
      expect(await verifyWebhook({ ...input, headers })).toEqual({ verified: false, reason: 'no-match' })
      expect((await verifyWebhook({ ...input, headers: hostileHeaders })).verified).toBe(false)
    },
  )
  await fc.assert(property)
})
