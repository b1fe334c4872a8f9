export { jwtIdentifier, type RequestWithHeaders } from './jwt-identifier.ts'
export type { ClaimNames, JwtIdentifierOptions, ServiceRule } from './jwt-identifier-options.ts'
