import type { CallOptions } from '@halyard/core'
import type { Calls } from '@halyard/core/operations'

/** Where the API is, who asks, and how patiently. */
export interface ClientOptions {
  /** Where the API is mounted, e.g. `https://flags.example.test/features`; absolute. */
  readonly baseUrl: string | URL
  /** Value of an access token. Default: none, and every call has to say `as`. */
  readonly token?: string
  /** Headers of every request, e.g. for a gateway, or a version header of another name. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sends a request: a handler of the fetch interface will do. Default: the platform's `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>
  /** How often a call is sent again at most. Default 3. */
  readonly retries?: number
  /** How long a call may take with all its retries, ms. Default 60 000. A file on its way has all the time it needs. */
  readonly budget?: number
  /** How long one answer may take, ms. Default 30 000. */
  readonly timeout?: number
  /** The present time in integer ms, UTC. Default: the platform's clock. */
  readonly now?: () => number
  /** A number from 0 up to 1, by which waits are spread. Default: `Math.random`. */
  readonly random?: () => number
}

/**
 * What a call says besides its input: what `engine.api` takes, and a signal. `as` is a token's value in place of the
 * client's; a role or a policy, for which only a host can vouch, is a `TypeError`.
 */
export interface ClientCallOptions extends CallOptions {
  /** Ends the call at any moment, also while it waits to be sent again; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Every operation as a function, as `engine.api` has them: what takes an `Api` takes this too. */
export type ClientApi = Calls<ClientCallOptions>

/** What a call takes: path parameters, query and `body` side by side. */
export type Input = Readonly<Record<string, unknown>>
