export type { OAuthEngine } from './oauth-engine.ts'
export { type OAuthServer, oauthServer } from './oauth-server.ts'
export type { OAuthServerOptions } from './options.ts'
