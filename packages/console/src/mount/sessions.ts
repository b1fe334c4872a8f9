import type { HostIdentity } from '@halyard/core'

/** Time for which a link that signs a person in works, ms. */
const linkLifetime = 15 * 60_000

/** Time for which a session lasts, ms. */
const sessionLifetime = 12 * 3_600_000

/** Maximum number of links and of sessions each; the oldest are removed. */
const maxEntries = 1_000

const cookieName = 'halyard-console'

/** Sessions that begin with a link which works once. They are kept in the memory of this process. */
export interface Sessions {
  /** Creates the code of a link that signs a person in once, within 15 minutes. */
  createCode(identity: HostIdentity): string
  /**
   * Exchanges a code for a session.
   *
   * @param path path to which the browser sends the cookie.
   * @param secure true when the browser may send the cookie over HTTPS only.
   * @returns the value of `Set-Cookie`; undefined when the code was used, has expired or never existed.
   */
  begin(code: string, path: string, secure: boolean): string | undefined
  /** Returns the person of a session by the value of the header `Cookie`. */
  find(cookies: string | undefined): HostIdentity | undefined
  /** Ends a session, and returns the value of `Set-Cookie` that removes the cookie. */
  end(cookies: string | undefined, path: string): string
}

interface Entry {
  readonly identity: HostIdentity
  readonly expiresAt: number
}

/**
 * Makes sessions that are kept in memory.
 *
 * @param now returns the current time, ms.
 */
export function memorySessions(now: () => number): Sessions {
  const codes = new Map<string, Entry>()
  const sessions = new Map<string, Entry>()
  const valid = (entry: Entry | undefined) => (entry && entry.expiresAt > now() ? entry : undefined)
  return {
    createCode(identity) {
      return add(codes, { identity, expiresAt: now() + linkLifetime })
    },
    begin(code, path, secure) {
      const entry = valid(codes.get(code))
      codes.delete(code)
      if (!entry) return undefined
      const id = add(sessions, { identity: entry.identity, expiresAt: now() + sessionLifetime })
      return cookie(id, path, `Max-Age=${sessionLifetime / 1000}${secure ? '; Secure' : ''}`)
    },
    find: (cookies) => valid(sessions.get(sessionIn(cookies)))?.identity,
    end(cookies, path) {
      sessions.delete(sessionIn(cookies))
      return cookie('', path, 'Max-Age=0')
    },
  }
}

/** Browsers give the cookie to no script, and send it with no request that comes from another site. */
function cookie(value: string, path: string, rest: string): string {
  return `${cookieName}=${value}; Path=${path || '/'}; HttpOnly; SameSite=Strict; ${rest}`
}

function sessionIn(cookies = ''): string {
  return new RegExp(`(?:^|; *)${cookieName}=([0-9a-f]{64})(?:;|$)`).exec(cookies)?.[1] ?? ''
}

/** Adds an entry under a new random id of 256 bits. */
function add(entries: Map<string, Entry>, entry: Entry): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const id = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  entries.set(id, entry)
  if (entries.size > maxEntries) entries.delete(entries.keys().next().value as string)
  return id
}
