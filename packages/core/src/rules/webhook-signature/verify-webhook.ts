import { type ReceivedHeaders, receivedHeader } from './received-headers.ts'
import { isMessageId, signatureOf } from './signature.ts'
import { signingKey } from './signing-key.ts'

/** A received message, and the secret with which it should be signed. */
export interface WebhookToVerify {
  /** Secret of the webhook; either this or `secrets`. */
  readonly secret?: string
  /** All secrets that may have signed, while one secret is replaced by another. */
  readonly secrets?: readonly string[]
  readonly headers: ReceivedHeaders
  /** The body as received, before it is parsed. */
  readonly body: string | Uint8Array
  /** Integer ms, UTC; usually `Date.now()`. */
  readonly now: number
  /** Maximum difference between the message's time and `now`, in ms. Default: five minutes. */
  readonly toleranceMs?: number
}

/** Reason why a message is rejected. */
export type WebhookRefusal = 'missing-header' | 'bad-timestamp' | 'too-old' | 'too-new' | 'no-match'

/** Result of the verification of a message: its id and time, or the reason why it is rejected. */
export type WebhookVerification =
  | {
      readonly verified: true
      /** Id of the message, the same for each attempt, so that a receiver can detect repetitions. */
      readonly id: string
      /** Time of this attempt, integer ms, UTC. */
      readonly sentAt: number
    }
  | { readonly verified: false; readonly reason: WebhookRefusal }

/**
 * Verifies that a request is a webhook message from a sender that knows the secret, sent recently (Standard Webhooks,
 * decision D32 (docs/decisions/0004-deliver-one-signed-message-per-change.md#d32-webhooks)).
 *
 * The reason of a rejection is a value of the result. The comparison takes the same time wherever two signatures
 * differ.
 *
 * @throws RangeError for input that cannot verify anything: no secret, an empty secret, or a `now` or `toleranceMs`
 *   that is not a number.
 * @throws TypeError for a body that was parsed.
 */
export async function verifyWebhook(input: WebhookToVerify): Promise<WebhookVerification> {
  const { headers, now, toleranceMs = 300_000 } = input
  const body = bytesOf(input.body)
  const keys = secretsOf(input).map(signingKey)
  if (!Number.isFinite(now)) throw new RangeError('now: must be integer milliseconds')
  if (!(toleranceMs >= 0)) throw new RangeError('toleranceMs: must be milliseconds, 0 or more')

  const id = receivedHeader(headers, 'webhook-id')
  const timestamp = receivedHeader(headers, 'webhook-timestamp')
  const receivedSignatures = receivedHeader(headers, 'webhook-signature')
  if (id === undefined || timestamp === undefined || receivedSignatures === undefined) return rejected('missing-header')
  if (!/^\d{1,12}$/.test(timestamp)) return rejected('bad-timestamp')
  const sentAt = Number(timestamp) * 1000
  if (now - sentAt > toleranceMs) return rejected('too-old')
  if (sentAt - now > toleranceMs) return rejected('too-new')
  if (!isMessageId(id)) return rejected('no-match')

  const content = { id, timestamp, body }
  const expected = await Promise.all(keys.map((key) => signatureOf(key, content)))
  const signatures = receivedSignatures.split(' ')
  const matches = expected.some((expectedSignature) =>
    signatures.some((receivedSignature) => isSameText(expectedSignature, receivedSignature)),
  )
  return matches ? { verified: true, id, sentAt } : rejected('no-match')
}

function secretsOf({ secret, secrets = [] }: WebhookToVerify): readonly string[] {
  const allSecrets = secret === undefined ? secrets : [secret, ...secrets]
  if (allSecrets.length === 0) throw new RangeError('secret: must be present')
  return allSecrets
}

function bytesOf(body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return new Uint8Array(body)
  throw new TypeError('body: must be the received text or bytes, not a parsed value')
}

/** Compares every character, so that the time does not depend on where two texts differ. Their length is not secret. */
function isSameText(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}

function rejected(reason: WebhookRefusal): WebhookVerification {
  return { verified: false, reason }
}
