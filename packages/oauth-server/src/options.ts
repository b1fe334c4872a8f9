import type { HostIdentity } from '@halyard/core'

/** Options of `oauthServer`: its public URL, and how people sign in. */
export interface OAuthServerOptions {
  /**
   * The public URL of the API, without `/api/v2` and without a slash at its end, e.g. `https://flags.example.com` or
   * `https://example.com/features`. It is the issuer that clients configure (RFC 8414).
   */
  readonly issuer: string
  /**
   * Returns the URL of the host's sign-in page, which sends the person back to `returnTo` with a session that
   * `identify` of the transport recognizes. Default: the page asks for an access token of the person.
   */
  readonly signIn?: (returnTo: string) => string
  /**
   * Identifies the person by a token that they enter on the page, for tokens that are not access tokens of the engine.
   * Default: only access tokens are accepted.
   */
  readonly identifyToken?: (token: string) => HostIdentity | undefined | Promise<HostIdentity | undefined>
  /** Receives unexpected errors, to which the client gets status 500. Default: they are not reported. */
  readonly onError?: (error: unknown) => void
}

/** The options, with everything that follows from the issuer. */
export interface ServerSettings extends OAuthServerOptions {
  readonly endpoints: Readonly<Record<keyof typeof paths, string>>
  /** True when the issuer is `https`, so that cookies can require it. */
  readonly secure: boolean
}

/** Paths below the mount path of the API. */
export const paths = {
  authorize: '/trust/oauth/authorize',
  token: '/trust/oauth/token',
  revoke: '/trust/oauth/revoke',
  introspect: '/trust/oauth/introspect',
  style: '/trust/oauth/page.css',
  metadata: '/.well-known/oauth-authorization-server',
} as const

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** @throws TypeError when the issuer is invalid. */
export function settingsOf(options: OAuthServerOptions): ServerSettings {
  const { issuer } = options
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined
  const secure = url?.protocol === 'https:'
  const allowed = secure || (url?.protocol === 'http:' && loopback.has(url.hostname))
  // The issuer is compared as a text, so it must be spelled like a normalized URL.
  if (!url || !allowed || url.search !== '' || url.hash !== '' || url.href.replace(/\/$/, '') !== issuer)
    throw new TypeError('issuer: must be an https URL without query, fragment and final slash, or http on this machine')
  const endpoints = Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, issuer + path]))
  // Cast: the entries are those of `paths`.
  return { ...options, secure, endpoints: endpoints as ServerSettings['endpoints'] }
}
