import type { Bytes } from './hmac.ts'

const prefixedBase64 = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,3}={0,2})?)$/

/**
 * Returns the key of a secret: the bytes after `whsec_` if base64 follows, as Standard Webhooks writes secrets;
 * otherwise the UTF-8 of the whole text.
 *
 * @throws RangeError for an empty secret, with which anyone could sign.
 */
export function signingKey(secret: string): Bytes {
  const [, base64] = prefixedBase64.exec(secret) ?? []
  return base64 ? Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)) : textKey(secret)
}

/**
 * Returns the UTF-8 of a secret, regardless of its format.
 *
 * @throws RangeError for an empty secret.
 */
export function textKey(secret: string): Bytes {
  if (secret === '') throw new RangeError('secret: must not be empty')
  return new TextEncoder().encode(secret)
}
