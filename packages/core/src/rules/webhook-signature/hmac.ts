/**
 * Computes an HMAC-SHA256 (RFC 2104).
 *
 * It uses Web Crypto, which is the only part of the platform that these rules use. The result depends only on the key
 * and the data.
 *
 * @param key at least one byte.
 */
export async function hmacSha256(key: Bytes, data: Bytes): Promise<Bytes> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, data))
}

/** Returns true when a code is the HMAC-SHA256 of the data. Web Crypto compares in constant time. */
export async function isHmacSha256(key: Bytes, data: Bytes, code: Bytes): Promise<boolean> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  return crypto.subtle.verify('HMAC', imported, code, data)
}

export type Bytes = Uint8Array<ArrayBuffer>
