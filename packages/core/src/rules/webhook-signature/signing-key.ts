import type { Bytes } from './hmac.ts'

const branded = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,3}={0,2})?)$/

/**
 * The bytes that a secret stands for: those behind `whsec_` where base64 follows, as Standard Webhooks writes secrets;
 * else the UTF-8 of the text as it is.
 *
 * @throws RangeError for an empty secret, which anybody could sign with.
 */
export function signingKey(secret: string): Bytes {
  const [, base64] = branded.exec(secret) ?? []
  return base64 ? Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)) : textKey(secret)
}

/**
 * The UTF-8 of a secret, whatever its form.
 *
 * @throws RangeError for an empty secret.
 */
export function textKey(secret: string): Bytes {
  if (secret === '') throw new RangeError('secret: must not be empty')
  return new TextEncoder().encode(secret)
}
