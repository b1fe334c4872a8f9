export { type OAuthEngine, type OAuthServer, oauthServer } from './oauth-server.ts'
export type { OAuthServerOptions } from './options.ts'
