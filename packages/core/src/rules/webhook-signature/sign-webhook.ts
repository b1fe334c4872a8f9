import { hmacSha256 } from './hmac.ts'
import { isMessageId, signatureOf } from './signature.ts'
import { signingKey, textKey } from './signing-key.ts'

/** A message to sign. */
export interface WebhookToSign {
  /** Id of the message, the same for each attempt: printable ASCII without full stops. */
  readonly id: string
  /** Time of this attempt, integer ms, UTC. */
  readonly timestampMs: number
  readonly body: string
  /**
   * `webhook-signature` contains a signature by each secret, `X-SVC-Signature` only one by the first secret. Without
   * secrets nothing is signed.
   */
  readonly secrets: readonly string[]
}

/**
 * Returns the headers of a webhook message: those of Standard Webhooks, and `X-SVC-Signature` with the hex HMAC-SHA256
 * of the body (docs/decisions/0004-deliver-one-signed-message-per-change.md#d32-webhooks). The key for
 * `X-SVC-Signature` is the text of the secret, because receivers of this header do not use the `whsec_` format.
 *
 * @throws RangeError for an invalid id, and for an empty secret.
 */
export async function signWebhook({ id, timestampMs, body, secrets }: WebhookToSign): Promise<Record<string, string>> {
  if (!isMessageId(id)) throw new RangeError('id: must be 1 to 256 printable ASCII characters without full stops')
  const timestamp = String(Math.floor(timestampMs / 1000))
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp }
  const [firstSecret] = secrets
  if (firstSecret === undefined) return headers
  const keys = secrets.map(signingKey)
  const bytes = new TextEncoder().encode(body)
  const [bodySignature, ...signatures] = await Promise.all([
    hmacSha256(textKey(firstSecret), bytes),
    ...keys.map((key) => signatureOf(key, { id, timestamp, body: bytes })),
  ])
  return { ...headers, 'webhook-signature': signatures.join(' '), 'X-SVC-Signature': hexOf(bodySignature) }
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
