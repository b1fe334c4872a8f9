import type { Operation } from './operation.ts'
import type { WireRequest } from './wire.ts'

/** A call that begins. */
export interface BegunCall {
  /** The operation's card; undefined for a request that means none. */
  readonly operation: Operation | undefined
  /** What came over a transport; undefined in process. */
  readonly request: WireRequest | undefined
}

/**
 * Runs a call and hands on what comes of it: over a transport always a `WireAnswer`, in process the answer's body or an
 * `ApiError`. For traces and measurements; it neither changes what comes nor fails by itself.
 */
export type Around = <T>(call: BegunCall, run: () => Promise<T>) => Promise<T>
