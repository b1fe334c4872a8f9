import { type Bytes, hmacSha256 } from './hmac.ts'

export interface SignedContent {
  readonly id: string
  /** As it stands in the header: integer seconds. */
  readonly timestamp: string
  readonly body: Bytes
}

/** The signature of a message under one key, as Standard Webhooks writes it: `v1,` and base64. */
export async function signatureOf(key: Bytes, { id, timestamp, body }: SignedContent): Promise<string> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.length + body.length)
  signed.set(head)
  signed.set(body, head.length)
  return `v1,${btoa(String.fromCharCode(...(await hmacSha256(key, signed))))}`
}

/**
 * Whether an id can be signed: printable ASCII without a full stop. With one in it, bytes could be shifted from the body
 * into the id, and the signature would still hold.
 */
export function isMessageId(text: string): boolean {
  return /^[!-~]{1,256}$/.test(text) && !text.includes('.')
}
