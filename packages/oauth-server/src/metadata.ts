import type { ServerSettings } from './options.ts'

const clientAuthentication = ['client_secret_basic', 'client_secret_post']

/** Returns the description of the server by which clients configure themselves (RFC 8414, 2; RFC 9207, 3). */
export function metadata({ issuer, endpoints }: ServerSettings): object {
  return {
    issuer,
    authorization_endpoint: endpoints.authorize,
    token_endpoint: endpoints.token,
    revocation_endpoint: endpoints.revoke,
    introspection_endpoint: endpoints.introspect,
    scopes_supported: ['reader', 'writer', 'admin'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: [...clientAuthentication, 'none'],
    revocation_endpoint_auth_methods_supported: [...clientAuthentication, 'none'],
    introspection_endpoint_auth_methods_supported: clientAuthentication,
    authorization_response_iss_parameter_supported: true,
  }
}
