import type { EngineRequest } from '@halyard/core'
import type { ServerSettings } from './options.ts'

/**
 * A cookie against forged requests (RFC 6749, 10.12). The form of the consent page repeats its value. Another site can
 * neither read nor set the cookie, so a form that it submits does not contain the value.
 */
export interface ConsentCookie {
  readonly value: string
  /** The header `Set-Cookie`. */
  readonly header: string
}

/** Returns the cookie of a page. An existing cookie of the browser is kept, so that pages in other tabs stay valid. */
export function consentCookie(request: EngineRequest, settings: ServerSettings): ConsentCookie {
  const value = receivedCookie(request, settings) ?? randomHex()
  const secure = settings.secure ? '; Secure' : ''
  return { value, header: `${nameOf(settings)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}` }
}

/** Returns the value of the cookie that the browser sent; undefined without a cookie. */
export function receivedCookie({ header }: EngineRequest, settings: ServerSettings): string | undefined {
  const prefix = `${nameOf(settings)}=`
  const values = (header('cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length))
  // Two cookies with one name come from two paths or domains, so one of them may be from another site.
  const [value] = values
  return values.length === 1 && value !== undefined && /^[0-9a-f]{64}$/.test(value) ? value : undefined
}

/**
 * Returns the name of the cookie. With the prefix `__Host-`, browsers do not let other hosts of the domain set the
 * cookie, and they require `Secure`.
 */
function nameOf({ secure }: ServerSettings): string {
  return secure ? '__Host-halyard-consent' : 'halyard-consent'
}

function randomHex(): string {
  return [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
