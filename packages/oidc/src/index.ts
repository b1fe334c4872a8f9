export {
  type ClaimNames,
  type JwtIdentifierOptions,
  jwtIdentifier,
  type RequestWithHeaders,
  type ServiceRule,
} from './jwt-identifier.ts'
