import type { EngineOptions } from '../operation/engine-options.ts'
import type { AddressGuard } from '../operation/request-origin.ts'
import type { LazyResponseProfile } from '../operation/response-profile.ts'
import type { Authenticator } from './authenticate.ts'
import type { AccessRules } from './authorize.ts'
import type { JsonWriter } from './encode.ts'
import type { ExecuteParts } from './execute-parts.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { UnservedRoutes } from './unserved-routes.ts'

/** Everything that the stages use; each engine creates one. */
export interface RequestPipeline extends ExecuteParts {
  readonly options: EngineOptions
  readonly authenticator: Authenticator
  /** Refuses requests by the address of the client. */
  readonly guard: AddressGuard
  /** Limits the number of requests. Undefined when requests are not limited. */
  readonly limiter: RateLimiter | undefined
  readonly accessRules: AccessRules
  readonly writeJson: JsonWriter
  /** Changes responses to those of another description of the API. Undefined for the responses of the specification. */
  readonly profile: LazyResponseProfile | undefined
  /** Refuses operations that only the reference API has. Undefined for an engine of selected operations. */
  readonly unserved: UnservedRoutes | undefined
}
