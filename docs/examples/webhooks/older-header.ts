import { createHmac, timingSafeEqual } from 'node:crypto'

/** Returns true if `X-SVC-Signature` is the signature of this body. */
export function isSigned(header: string, body: Buffer, secret: string): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'))
  const received = Buffer.from(header)
  return received.length === expected.length && timingSafeEqual(received, expected)
}
