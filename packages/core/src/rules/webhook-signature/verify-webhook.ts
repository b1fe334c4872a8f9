import { type ReceivedHeaders, receivedHeader } from './received-headers.ts'
import { isMessageId, signatureOf } from './signature.ts'
import { signingKey } from './signing-key.ts'

/** A message that came, and the secret that it should be signed with. */
export interface WebhookToVerify {
  /** What the webhook signs with; this or `secrets`. */
  readonly secret?: string
  /** All that may have signed, while one secret takes the place of another. */
  readonly secrets?: readonly string[]
  readonly headers: ReceivedHeaders
  /** The body as it came, before anything parses it. */
  readonly body: string | Uint8Array
  /** Integer ms, UTC; usually `Date.now()`. */
  readonly now: number
  /** How far the message's time may be from `now`, in ms. Default: five minutes. */
  readonly toleranceMs?: number
}

/** Why a message is not believed. */
export type WebhookRefusal = 'missing-header' | 'bad-timestamp' | 'too-old' | 'too-new' | 'no-match'

/** Whether a message came from whoever has the secret, and if not, why. */
export type VerifiedWebhook =
  | {
      readonly verified: true
      /** The same at each attempt, so that a receiver can tell what it has seen. */
      readonly id: string
      /** When this attempt was made, integer ms, UTC. */
      readonly sentAt: number
    }
  | { readonly verified: false; readonly reason: WebhookRefusal }

/**
 * Whether a request is a webhook message from somebody who has the secret, made not long ago (Standard Webhooks, D32).
 *
 * Says why not as a value. Comparing takes the same time wherever two signatures differ.
 *
 * @throws RangeError where it could never say no for the right reason: without a secret, with an empty one, with a `now` or
 * a `toleranceMs` that is no number.
 * @throws TypeError for a body that was parsed.
 */
export async function verifyWebhook(input: WebhookToVerify): Promise<VerifiedWebhook> {
  const { headers, now, toleranceMs = 300_000 } = input
  const body = bytesOf(input.body)
  const keys = secretsOf(input).map(signingKey)
  if (!Number.isFinite(now)) throw new RangeError('now: must be integer milliseconds')
  if (!(toleranceMs >= 0)) throw new RangeError('toleranceMs: must be milliseconds, 0 or more')

  const id = receivedHeader(headers, 'webhook-id')
  const timestamp = receivedHeader(headers, 'webhook-timestamp')
  const given = receivedHeader(headers, 'webhook-signature')
  if (id === undefined || timestamp === undefined || given === undefined) return refused('missing-header')
  if (!/^\d{1,12}$/.test(timestamp)) return refused('bad-timestamp')
  const sentAt = Number(timestamp) * 1000
  if (now - sentAt > toleranceMs) return refused('too-old')
  if (sentAt - now > toleranceMs) return refused('too-new')
  if (!isMessageId(id)) return refused('no-match')

  const content = { id, timestamp, body }
  const expected = await Promise.all(keys.map((key) => signatureOf(key, content)))
  const signatures = given.split(' ')
  const matches = expected.some((one) => signatures.some((other) => sameText(one, other)))
  return matches ? { verified: true, id, sentAt } : refused('no-match')
}

function secretsOf({ secret, secrets = [] }: WebhookToVerify): readonly string[] {
  const all = secret === undefined ? secrets : [secret, ...secrets]
  if (all.length === 0) throw new RangeError('secret: must be given')
  return all
}

function bytesOf(body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return new Uint8Array(body)
  throw new TypeError('body: must be the text or bytes that came, not what a parser made of them')
}

/** Looks at every character, so that time tells nothing of where two texts differ. That of their length is no secret. */
function sameText(one: string, other: string): boolean {
  if (one.length !== other.length) return false
  let difference = 0
  for (let i = 0; i < one.length; i++) difference |= one.charCodeAt(i) ^ other.charCodeAt(i)
  return difference === 0
}

function refused(reason: WebhookRefusal): VerifiedWebhook {
  return { verified: false, reason }
}
