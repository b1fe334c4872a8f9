import type { EngineRequest } from './engine-request.ts'
import type { Operation } from './operation.ts'

/** A call that an interceptor receives before it runs. */
export interface InterceptedCall {
  /** The operation; undefined for a request that matches no operation. */
  readonly operation: Operation | undefined
  /** The request over a transport; undefined for a call in process. */
  readonly request: EngineRequest | undefined
}

/**
 * Runs a call and returns its result: over a transport always an `EngineResponse`, in process the response body, or a
 * rejection with `ApiError`. For traces and measurements: it must not change the result or fail by itself.
 */
export type Interceptor = <T>(call: InterceptedCall, run: () => Promise<T>) => Promise<T>
