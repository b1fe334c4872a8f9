/**
 * Computes an HMAC-SHA256 (RFC 2104).
 *
 * It uses Web Crypto, the only part of the platform that these rules use: it depends neither on time nor on randomness,
 * and the same bytes give the same code everywhere.
 *
 * @param key at least one byte.
 */
export async function hmacSha256(key: Bytes, data: Bytes): Promise<Bytes> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, data))
}

export type Bytes = Uint8Array<ArrayBuffer>
