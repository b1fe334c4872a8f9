import type { Caller } from '../operation/caller.ts'
import type { EngineRequest } from '../operation/engine-request.ts'
import type { Operation } from '../operation/operation.ts'
import type { RequestOrigin } from '../operation/request-origin.ts'
import type { StorageView } from './access/authority.ts'

/** A value per path parameter of the operation. */
export type PathParameters = Readonly<Record<string, string>>

// One call is one object. Each stage adds properties to it and returns it, so its type grows from stage to stage.

/** Input of every call, whether it comes over a transport or in process. */
export interface IncomingCall {
  /** The `If-Match` of the caller: entity tags, or `*`. */
  readonly ifMatch: string | undefined
  /** Reads and decisions for this call. */
  readonly view: StorageView
  /** Returns path and query, for links. A function, because only some handlers need them. */
  url(): string
}

/** A request as a transport passes it to the engine. */
export interface ReceivedRequest extends IncomingCall {
  readonly request: EngineRequest
  readonly requestId: string
  /** Headers of the response, to which the stages add. */
  readonly headers: Record<string, string>
  /** The `If-None-Match` of the caller; undefined to get the complete response in any case. */
  readonly ifNoneMatch: string | undefined
}

/** State of a call after the stage `match`. */
export interface MatchedCall extends IncomingCall {
  readonly operation: Operation
  readonly params: PathParameters
}

/** State of a call after the stage `authenticate`. */
export interface AuthenticatedCall extends MatchedCall {
  readonly caller: Caller
  /** Undefined for a call in process, and where no caller is required. */
  readonly origin: RequestOrigin | undefined
  /** Time at which the call was authenticated: integer ms, UTC. */
  readonly now: number
}

/** State of a call after the stage `authorize`. */
export interface AuthorizedCall extends AuthenticatedCall {
  /** The action that the caller was granted; undefined when every caller may call the operation. */
  readonly grantedAction: string | undefined
}

/** State of a call after the stage `decode`. */
export interface DecodedCall extends AuthorizedCall {
  readonly query: unknown
  readonly body: unknown
  /** True when the caller requests the result of the call without its changes. */
  readonly dryRun: boolean
  /** The input before it was decoded, as a call in process has it; undefined for work of the engine itself. */
  readonly input?: Readonly<Record<string, unknown>>
}

/** State of a call after the stage `execute`. */
export interface ExecutedCall extends DecodedCall {
  readonly outcome: Outcome
}

/** A half-open period of time; integer ms, UTC, `Infinity` for a period that is still open. */
export interface Period {
  readonly from: number
  readonly until: number
}

/** Result of an executed operation. */
export interface Outcome {
  readonly body: unknown
  /** The revision that the response shows, as an entity tag in quotes. */
  readonly etag: string | undefined
  /**
   * True when the response depends on more than the revision, so that an equal entity tag does not mean an equal
   * response.
   */
  readonly showsMore: boolean
  readonly location: string | undefined
  /**
   * Period in which the response is valid while no dependency changes; undefined when it is valid for this call only.
   */
  readonly validity: Period | undefined
}
