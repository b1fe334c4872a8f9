import type { HostIdentity } from '@halyard/core'
import type * as oauth from 'oauth4webapi'

/** An OpenID Connect provider at which the page signs people in, by the code flow with PKCE. */
export interface IssuerSignInOptions {
  /** URL of the issuer, e.g. `https://login.example.com`; HTTP only for a server on this machine. */
  readonly issuer: string
  /** Id of the console as a client of the issuer, whose redirect address is `/-/signed-in` below the mount path. */
  readonly clientId: string
  /** Secret of the client, for issuers that require a secret. */
  readonly clientSecret?: string | undefined
  /** Scopes that are requested, separated by spaces. Default: `openid email`. */
  readonly scope?: string | undefined
  /**
   * Names the person of an ID token, as `jwtIdentifier` of `@halyard/oidc` does; undefined refuses the token. It must
   * check the signature, the issuer and the audience.
   */
  identifyToken(token: string): HostIdentity | undefined | Promise<HostIdentity | undefined>
}

/** The settings with which the page sends a person to the issuer. */
export interface IssuerParameters {
  readonly authorizationEndpoint: string
  readonly clientId: string
  readonly scope: string
}

/** The response of the issuer, with the secrets that the page made before it sent the person to the issuer. */
export interface IssuerResponse {
  /** Query of the address to which the issuer sent the person. */
  readonly query: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly redirectUri: string
}

type OAuth = typeof oauth

export interface IssuerSignIn {
  /** Host name, with port, of the issuer's URL, which the console shows to people. */
  readonly name: string
  readParameters(): Promise<IssuerParameters>
  /** Exchanges the code in a response for the person; undefined when the issuer or the host refuses it. */
  identify(response: IssuerResponse): Promise<HostIdentity | undefined>
}

/**
 * Makes the sign-in at an issuer. The code is exchanged by the server, so that no token reaches the page, and the
 * issuer need not allow requests of other origins.
 *
 * @throws TypeError when the issuer is not an HTTPS URL, nor an HTTP URL of this machine.
 */
export function issuerSignIn(options: IssuerSignInOptions): IssuerSignIn {
  const { clientId, clientSecret, scope = 'openid email' } = options
  const issuer = readIssuer(options.issuer)
  const client = { client_id: clientId }
  // The library is imported at the first sign-in, so that a console without issuer starts without its code.
  const load = () => import('oauth4webapi')
  const insecure = ({ allowInsecureRequests }: OAuth) => ({ [allowInsecureRequests]: issuer.protocol === 'http:' })
  let discovery: Promise<oauth.AuthorizationServer> | undefined
  const discover = () => {
    discovery ??= load().then(async (library) =>
      library.processDiscoveryResponse(issuer, await library.discoveryRequest(issuer, insecure(library))),
    )
    // A failed discovery is repeated by the next person.
    discovery.catch(() => {
      discovery = undefined
    })
    return discovery
  }
  return {
    name: issuer.host,
    async readParameters() {
      const { authorization_endpoint: endpoint } = await discover()
      if (endpoint === undefined) throw new Error(`${options.issuer} has no authorization endpoint`)
      return { authorizationEndpoint: endpoint, clientId, scope }
    },
    async identify({ query, state, nonce, verifier, redirectUri }) {
      const server = await discover()
      const library = await load()
      const authentication = clientSecret === undefined ? library.None() : library.ClientSecretPost(clientSecret)
      try {
        const parameters = library.validateAuthResponse(server, client, new URLSearchParams(query), state)
        const response = await library.authorizationCodeGrantRequest(
          server,
          client,
          authentication,
          parameters,
          redirectUri,
          verifier,
          insecure(library),
        )
        const checks = { expectedNonce: nonce, requireIdToken: true }
        const { id_token: token } = await library.processAuthorizationCodeResponse(server, client, response, checks)
        return token === undefined ? undefined : await options.identifyToken(token)
      } catch (error) {
        if (isRefusal(library, error)) return undefined
        throw error
      }
    },
  }
}

/**
 * Returns true for an error of the response: a wrong state, a used code, a token for another client. Other errors of
 * the token endpoint, such as `invalid_client` for a wrong secret, are errors of the configuration (RFC 6749, 5.2).
 */
function isRefusal(library: OAuth, error: unknown): boolean {
  return (
    error instanceof library.AuthorizationResponseError ||
    error instanceof library.OperationProcessingError ||
    (error instanceof library.ResponseBodyError && error.error === 'invalid_grant')
  )
}

function readIssuer(text: string): URL {
  const issuer = URL.canParse(text) ? new URL(text) : undefined
  const isLocal = issuer?.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(issuer.hostname)
  if (issuer && (issuer.protocol === 'https:' || isLocal)) return issuer
  throw new TypeError('oidc: issuer: must be an https URL')
}
