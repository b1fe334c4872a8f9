import { platform } from '../../platform.ts'
import type { FlagTypes } from '../../rules/evaluation/index.ts'
import { hmacSha256, isHmacSha256 } from '../../rules/webhook-signature/hmac.ts'
import type { ForcedValues } from './force-flags.ts'

/** Options of a cookie that forces flags. */
export interface ForcedFlagsCookieOptions {
  /** Secret of the host, at least 32 characters. A person who knows it can force any flag. */
  readonly secret: string
  /** Time until the cookie expires, in seconds: 1 to 604,800 (a week). Default: 3,600. */
  readonly maxAgeSeconds?: number
  /** Current time, integer ms, UTC. Default: the time of the clock. */
  readonly now?: number
}

/** Name of the cookie. Browsers accept the prefix only with `Secure`, `Path=/` and no domain (RFC 6265bis). */
const cookieName = '__Host-halyard-forced-flags'

const minSecretCharacters = 32
const maxMaxAgeSeconds = 604_800

/** Maximum length of a cookie with its name and attributes that all browsers store (RFC 6265, section 6.1). */
const maxCookieBytes = 4_096

/** Prefix of the signed text. With it, no signature of another text by the same secret is valid for a cookie. */
const signedPrefix = 'halyard-forced-flags.v1.'

/**
 * Returns a `Set-Cookie` header that forces flags for the browser that receives it, until it expires: for testers. The
 * host decides who receives it. The values are signed by HMAC-SHA256 and not encrypted. Without values the header
 * deletes the cookie.
 *
 * @param values forced values by flag key; JSON.
 * @throws RangeError naming `secret`, `maxAgeSeconds`, or `values` when the cookie would be longer than browsers store.
 * @example
 * ```ts
 * import { forcedFlagsCookie, forceFlags, readForcedFlags } from '@halyard/core/flags'
 *
 * const secret = 'a secret of 32 characters or more'
 * const setCookie = await forcedFlagsCookie({ checkout: true }, { secret })
 * const [cookie = ''] = setCookie.split(';')
 * const values = await readForcedFlags(cookie, { secret })
 * console.log(forceFlags(values).evaluate('checkout', { kind: 'user', key: 'ann' }, false).value) // true
 * ```
 */
export async function forcedFlagsCookie<Flags extends object = FlagTypes>(
  values: ForcedValues<Flags>,
  { secret, maxAgeSeconds = 3_600, now = platform.now() }: ForcedFlagsCookieOptions,
): Promise<string> {
  requireSecret(secret)
  if (!(Number.isInteger(maxAgeSeconds) && maxAgeSeconds >= 1 && maxAgeSeconds <= maxMaxAgeSeconds)) {
    throw new RangeError(`maxAgeSeconds: must be an integer from 1 to ${maxMaxAgeSeconds}`)
  }
  const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'
  if (Object.keys(values).length === 0) return `${cookieName}=; Max-Age=0; ${attributes}`
  const payload = toBase64Url(utf8.encode(JSON.stringify({ expiresAt: now + maxAgeSeconds * 1_000, values })))
  const signature = toBase64Url(await hmacSha256(utf8.encode(secret), utf8.encode(signedPrefix + payload)))
  const cookie = `${cookieName}=${payload}.${signature}; Max-Age=${maxAgeSeconds}; ${attributes}`
  if (cookie.length > maxCookieBytes) {
    throw new RangeError(`values: the cookie must have at most ${maxCookieBytes} bytes, and has ${cookie.length}`)
  }
  return cookie
}

/**
 * Returns the values that the cookie of a request forces, for `forceFlags`. Returns no values when there is no cookie,
 * and when it was altered, is signed by another secret, or has expired.
 *
 * @param cookies the `Cookie` header of the request; null and undefined when it has no such header.
 * @throws RangeError naming `secret`.
 */
export async function readForcedFlags<Flags extends object = FlagTypes>(
  cookies: string | null | undefined,
  { secret, now = platform.now() }: Pick<ForcedFlagsCookieOptions, 'secret' | 'now'>,
): Promise<ForcedValues<Flags>> {
  requireSecret(secret)
  for (const [payload, signature] of signedValues(cookies ?? '')) {
    const bytes = fromBase64Url(signature)
    if (!bytes || !(await isHmacSha256(utf8.encode(secret), utf8.encode(signedPrefix + payload), bytes))) continue
    // The signature proves that `forcedFlagsCookie` wrote the text.
    const { expiresAt, values } = JSON.parse(new TextDecoder().decode(fromBase64Url(payload)))
    if (now < expiresAt) return values
  }
  return {} as ForcedValues<Flags>
}

/**
 * Returns the payload and the signature of each cookie with the name. In old browsers, a subdomain can set a second
 * cookie with this name.
 */
function signedValues(cookies: string): readonly (readonly [payload: string, signature: string])[] {
  return cookies.split(';').flatMap((cookie) => {
    const [, payload, signature] = /^ *__Host-halyard-forced-flags=([\w-]+)\.([\w-]+) *$/.exec(cookie) ?? []
    return payload === undefined || signature === undefined ? [] : [[payload, signature] as const]
  })
}

function requireSecret(secret: string): void {
  if (typeof secret !== 'string' || secret.length < minSecretCharacters) {
    throw new RangeError(`secret: must have at least ${minSecretCharacters} characters`)
  }
}

const utf8 = new TextEncoder()

function toBase64Url(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Returns the bytes of text in Base64 with the URL-safe alphabet; undefined when it is not Base64. */
function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
  } catch {
    return undefined
  }
}
