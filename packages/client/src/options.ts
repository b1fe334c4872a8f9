import type { CallOptions } from '@halyard/core'
import type { Calls } from '@halyard/core/operations'

/** Options of a client. */
export interface ClientOptions {
  /** Absolute URL at which the API is mounted, e.g. `https://flags.example.test/features`. */
  readonly baseUrl: string | URL
  /** Value of an access token. Without this option, each call needs `as`. */
  readonly token?: string
  /** Headers of every request, e.g. for a gateway, or a version header of another name. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sends a request. A fetch handler can be used as well. Default: the `fetch` of the platform. */
  readonly fetch?: (request: Request) => Promise<Response>
  /** Maximum number of retries of a call. Default: 3. */
  readonly retries?: number
  /** Time limit of a call with all its retries, ms. It does not apply to the transfer of a file. Default: 60,000. */
  readonly budget?: number
  /** Time limit of one response, ms. It does not apply to the transfer of a file. Default: 30,000. */
  readonly timeout?: number
  /** Returns the current time, integer ms, UTC. Default: the clock of the platform. */
  readonly now?: () => number
  /** Returns a number from 0 to 1, exclusive, for the random part of a delay. Default: `Math.random`. */
  readonly random?: () => number
}

/**
 * Options of a call: those of `engine.api`, and a signal. `as` is the value of a token that replaces the token of the
 * client. A role or a policy causes a `TypeError`, because only the process of the engine can use them.
 */
export interface ClientCallOptions extends Partial<CallOptions> {
  /** Aborts the call, also while it waits for the next attempt. The call rejects with the reason of the signal. */
  readonly signal?: AbortSignal
}

/** Every operation as a function with the signature that it has in `engine.api`; it can be passed as an `Api`. */
export type ClientApi = Calls<ClientCallOptions>

/** Input of a call: path parameters, query parameters and `body`. */
export type Input = Readonly<Record<string, unknown>>

/** The options of a client with their defaults; `baseUrl` has no trailing slash, query or fragment. */
export type ClientSettings = Required<Omit<ClientOptions, 'token' | 'baseUrl'>> & {
  readonly baseUrl: string
  readonly token: string | undefined
}

/**
 * Returns the options with their defaults.
 *
 * @throws TypeError when `baseUrl` is not absolute.
 */
export function resolveOptions(options: ClientOptions): ClientSettings {
  const { token, headers = {}, retries = 3, budget = 60_000, timeout = 30_000 } = options
  const { fetch = (request) => globalThis.fetch(request), now = Date.now, random = Math.random } = options
  const baseUrl = new URL(options.baseUrl).href.replace(/\/*([?#].*)?$/, '')
  return { baseUrl, token, headers, fetch, retries, budget, timeout, now, random }
}
