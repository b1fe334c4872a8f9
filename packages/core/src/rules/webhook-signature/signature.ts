import { type Bytes, hmacSha256 } from './hmac.ts'

export interface SignedContent {
  readonly id: string
  /** Timestamp as in the header: integer seconds. */
  readonly timestamp: string
  readonly body: Bytes
}

/** Computes the signature of a message with one key, in the format of Standard Webhooks: `v1,` and base64. */
export async function signatureOf(key: Bytes, { id, timestamp, body }: SignedContent): Promise<string> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const content = new Uint8Array(head.length + body.length)
  content.set(head)
  content.set(body, head.length)
  return `v1,${btoa(String.fromCharCode(...(await hmacSha256(key, content))))}`
}

/**
 * Returns true if an id can be signed: printable ASCII without a full stop. With a full stop, an attacker could shift
 * bytes from the body into the id, and the signature would still match.
 */
export function isMessageId(text: string): boolean {
  return /^[!-~]{1,256}$/.test(text) && !text.includes('.')
}
