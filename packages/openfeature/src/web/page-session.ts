import { type EvaluationContext, InvalidContextError, TargetingKeyMissingError } from '@openfeature/core'
import type { ClientProviderEvents, OpenFeatureEventEmitter } from '@openfeature/web-sdk'
import { mapContext } from '../map-context.ts'
import { startPolling } from '../polling.ts'
import { type ProviderStatus, StatusReporter } from '../provider-status.ts'
import { type EventSourceConstructor, openChangeStream } from './change-stream.ts'
import { changedFlags, type EvaluatedFlags } from './evaluated-flags.ts'
import { FlagLoader } from './flag-loader.ts'
import type { FlagService, PageContext } from './flag-service.ts'

/** Settings for polling the service and sending contexts. */
export interface SessionSettings {
  readonly service: FlagService
  /** Interval between two requests, ms; 0 for no polling. */
  readonly pollMs: number
  /** Opens streams of changes; undefined for no streams. */
  readonly EventSource: EventSourceConstructor | undefined
  /** Key for contexts without one. */
  readonly anonymousKey: string
  readonly hashOf: (context: EvaluationContext) => string | undefined
}

/** Refreshes the flags of a page, from the registration of the provider to its end. */
export class PageSession {
  readonly #settings: SessionSettings
  readonly #reporter: StatusReporter<ClientProviderEvents>
  readonly #loader: FlagLoader
  #context: EvaluationContext = {}
  #stopPolling: (() => void) | undefined
  #closeStream: (() => void) | undefined
  /** The flags that the page received with the last event. */
  #reported: EvaluatedFlags | undefined

  constructor(settings: SessionSettings, events: OpenFeatureEventEmitter) {
    this.#settings = settings
    this.#reporter = new StatusReporter(events)
    this.#loader = new FlagLoader(settings.service)
  }

  get status(): ProviderStatus {
    return this.#reporter.status
  }

  /** The last known flags; undefined before the first response. */
  get flags(): EvaluatedFlags | undefined {
    return this.#loader.flags
  }

  /** Loads the flags of the first context, and starts to poll. */
  async start(context: EvaluationContext): Promise<void> {
    this.#stopPolling ??= startPolling(() => this.refresh(), this.#settings.pollMs)
    await this.changeContext(context)
  }

  /**
   * Loads the flags of another context. When this fails, the flags of the previous context remain.
   *
   * @throws InvalidContextError, TargetingKeyMissingError, or the errors of `fetchFlags`.
   */
  async changeContext(context: EvaluationContext): Promise<void> {
    this.#context = context
    this.#closeStream?.()
    this.#closeStream = undefined
    try {
      await this.#load()
      this.#reported = this.flags
      this.#reporter.set('ready')
      this.#openStream(context)
    } catch (error) {
      this.#reporter.set('error')
      throw error
    }
  }

  /** Loads the flags of the same context again, and emits an event when they changed or cannot be loaded. */
  async refresh(): Promise<void> {
    if (!this.#stopPolling) return
    // The caller that started the request handles its result.
    if (this.#loader.loading) return this.#loader.loading.catch(() => {})
    const context = this.#context
    try {
      await this.#load()
    } catch (error) {
      // In status `error` the flags belong to another context, which is worse than stale flags.
      if (this.#isOpenFor(context) && this.status === 'ready') this.#reporter.stale(error)
      return
    }
    if (!this.#isOpenFor(context)) return
    this.#reportChanges()
    this.#openStream(context)
  }

  /** Ends polling, requests and events. */
  close(): void {
    this.#stopPolling?.()
    this.#stopPolling = undefined
    this.#closeStream?.()
    this.#closeStream = undefined
    this.#loader.abort()
    this.#reporter.set('error')
  }

  /** Opens the stream of a context, unless it is open, the provider was closed, or another context has replaced it. */
  #openStream(context: EvaluationContext): void {
    const { EventSource, service } = this.#settings
    if (!EventSource || this.#closeStream || !this.#isOpenFor(context)) return
    this.#closeStream = openChangeStream(EventSource, service, this.#pageContext(), (flags) =>
      flags ? this.#replace(flags) : void this.#loadAgain(),
    )
  }

  #replace(flags: EvaluatedFlags): void {
    this.#loader.replace(flags)
    this.#reportChanges()
  }

  /** The response to a request in progress may be older than the change, so another request follows. */
  async #loadAgain(): Promise<void> {
    await this.#loader.loading?.catch(() => {})
    await this.refresh()
  }

  /** An async function, so that an invalid context rejects. */
  async #load(): Promise<void> {
    await this.#loader.load(this.#pageContext())
  }

  #isOpenFor(context: EvaluationContext): boolean {
    return this.#stopPolling !== undefined && this.#context === context
  }

  #reportChanges(): void {
    const { flags } = this
    const flagKeys = this.#reported && flags ? changedFlags(this.#reported, flags) : []
    this.#reported = flags
    this.#reporter.ready()
    if (flagKeys.length > 0) this.#reporter.flagsChanged(flagKeys)
  }

  #pageContext(): PageContext {
    const mapped = mapContext(this.#context)
    if ('errorCode' in mapped) {
      const { errorCode, errorMessage } = mapped
      const isKeyMissing = errorCode === 'TARGETING_KEY_MISSING'
      throw isKeyMissing ? new TargetingKeyMissingError(errorMessage) : new InvalidContextError(errorMessage)
    }
    const hash = this.#settings.hashOf(this.#context)
    if (mapped.hasKey) return { context: mapped.context, hash }
    const key = this.#settings.anonymousKey
    return { context: { ...(mapped.context.custom as object), kind: 'user', key, anonymous: true }, hash }
  }
}
