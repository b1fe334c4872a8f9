import {
  type AnyProviderEvent,
  type ErrorCode,
  type ProviderEventEmitter,
  ServerProviderEvents,
} from '@openfeature/core'

/** Status of a provider. The SDK reports the result of `initialize` itself; the provider reports later changes. */
export type ProviderStatus = 'ready' | 'stale' | 'error'

/** Keeps the status of a provider, and emits an event when it changes. Both SDKs have the same names of events. */
export class StatusReporter<Event extends AnyProviderEvent> {
  readonly #events: ProviderEventEmitter<Event>
  #status: ProviderStatus = 'error'

  constructor(events: ProviderEventEmitter<Event>) {
    this.#events = events
  }

  get status(): ProviderStatus {
    return this.#status
  }

  /** Sets the status without an event, where the SDK emits one itself. */
  set(status: ProviderStatus): void {
    this.#status = status
  }

  /** Sets the status, and emits `PROVIDER_READY` when the status was different. */
  ready(): void {
    if (this.#change('ready')) this.#emit(ServerProviderEvents.Ready)
  }

  /** Sets the status, and emits `PROVIDER_STALE` when the status was different. */
  stale(cause: unknown): void {
    if (this.#change('stale')) this.#emit(ServerProviderEvents.Stale, { message: messageOf(cause) })
  }

  /** Sets the status, and emits `PROVIDER_ERROR` when the status was different. */
  error(cause: unknown, errorCode: ErrorCode): void {
    if (this.#change('error')) this.#emit(ServerProviderEvents.Error, { message: messageOf(cause), errorCode })
  }

  /** Emits `PROVIDER_CONFIGURATION_CHANGED`. */
  flagsChanged(flagsChanged: string[]): void {
    this.#emit(ServerProviderEvents.ConfigurationChanged, { flagsChanged })
  }

  #change(status: ProviderStatus): boolean {
    const isChange = status !== this.#status
    this.#status = status
    return isChange
  }

  #emit(event: ServerProviderEvents, details?: object): void {
    this.#events.emit(event as Event, { ...details })
  }
}

/** Returns the message of an error, or the text of any other value that was thrown. */
export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
