/**
 * HMAC-SHA256 (RFC 2104).
 *
 * Web Crypto, like nothing else of the platform in these rules: it is neither time nor chance, the same bytes give the same
 * code everywhere.
 *
 * @param key one byte or more.
 */
export async function hmacSha256(key: Bytes, data: Bytes): Promise<Bytes> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, data))
}

export type Bytes = Uint8Array<ArrayBuffer>
