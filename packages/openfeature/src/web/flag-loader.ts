import type { EvaluatedFlags } from './evaluated-flags.ts'
import { type FlagResponse, type FlagService, fetchFlags, type PageContext } from './flag-service.ts'

/** Loads the flags of a context, one request at a time: a request aborts the previous one. */
export class FlagLoader {
  readonly #service: FlagService
  #response: FlagResponse | undefined
  #request: { readonly controller: AbortController; readonly done: Promise<void> } | undefined

  constructor(service: FlagService) {
    this.#service = service
  }

  /** The flags of the last response; undefined before the first one. */
  get flags(): EvaluatedFlags | undefined {
    return this.#response?.flags
  }

  /** The request in progress, which rejects with the same errors as `load`. */
  get loading(): Promise<void> | undefined {
    return this.#request?.done
  }

  /**
   * Requests the flags of a context. When a later request aborts this request, the promise settles like the promise of
   * the later request.
   *
   * @throws the errors of `fetchFlags`.
   */
  load(page: PageContext): Promise<void> {
    this.#request?.controller.abort(superseded)
    const controller = new AbortController()
    const request = { controller, done: this.#send(page, controller.signal) }
    this.#request = request
    const settle = () => {
      if (this.#request === request) this.#request = undefined
    }
    request.done.then(settle, settle)
    return request.done
  }

  /** Replaces the flags. Aborts the request in progress, whose response may be older. */
  replace(flags: EvaluatedFlags): void {
    this.#request?.controller.abort(superseded)
    this.#request = undefined
    this.#response = { url: '', etag: undefined, flags }
  }

  /** Aborts the request in progress. */
  abort(): void {
    this.#request?.controller.abort(new Error('the provider is closed'))
  }

  async #send({ context, hash }: PageContext, signal: AbortSignal): Promise<void> {
    try {
      const response = await fetchFlags(this.#service, { context, hash }, this.#response, signal)
      signal.throwIfAborted()
      this.#response = response
    } catch (error) {
      if (signal.reason !== superseded) throw error
      await this.loading
    }
  }
}

const superseded = new Error('newer flags, or a request for another context, replace this request')
