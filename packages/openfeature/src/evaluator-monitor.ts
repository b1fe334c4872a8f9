import type { Evaluator } from '@halyard/core'
import {
  ErrorCode,
  type OpenFeatureEventEmitter,
  ProviderFatalError,
  type ServerProviderEvents,
} from '@openfeature/server-sdk'
import { startPolling } from './polling.ts'
import { messageOf, type ProviderStatus, StatusReporter } from './provider-status.ts'

/** An evaluator whose flags a program may have declared; here every flag key is a string. */
export type AnyEvaluator = Evaluator<Record<never, never>>

/** Emits the events of a provider while the evaluator follows the storage. */
export class EvaluatorMonitor {
  readonly #evaluator: AnyEvaluator
  readonly #checkMs: number
  readonly #reporter: StatusReporter<ServerProviderEvents>
  #stop: (() => void) | undefined

  /** @param checkMs interval between two checks, ms; 0 for none. */
  constructor(evaluator: AnyEvaluator, events: OpenFeatureEventEmitter, checkMs: number) {
    this.#evaluator = evaluator
    this.#checkMs = checkMs
    this.#reporter = new StatusReporter(events)
  }

  get status(): ProviderStatus {
    return this.#reporter.status
  }

  /**
   * Loads the flags. When this fails, the checks continue, and the provider becomes ready with the first check that
   * succeeds.
   *
   * @throws ProviderFatalError when the environment does not exist; the error of the storage when it fails.
   */
  async start(): Promise<void> {
    this.#stop ??= this.#listen()
    try {
      await this.#evaluator.ready()
    } catch (error) {
      throw isMissingEnvironment(error) ? new ProviderFatalError(messageOf(error)) : error
    }
    this.#reporter.set('ready')
  }

  /** Ends the checks and the events. */
  stop(): void {
    this.#stop?.()
    this.#stop = undefined
    this.#reporter.set('error')
  }

  #listen(): () => void {
    const unsubscribe = this.#evaluator.onChange((flagKeys) => this.#reporter.flagsChanged([...flagKeys]))
    const stopPolling = startPolling(() => this.#check(), this.#checkMs)
    return () => {
      stopPolling()
      unsubscribe()
    }
  }

  async #check(): Promise<void> {
    try {
      if (!this.#evaluator.current) await this.#evaluator.ready()
      if (this.#stop) this.#reporter.ready()
    } catch (error) {
      if (this.#stop) this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    if (this.#evaluator.ruleset) this.#reporter.stale(error)
    else this.#reporter.error(error, isMissingEnvironment(error) ? ErrorCode.PROVIDER_FATAL : ErrorCode.GENERAL)
  }
}

/** Returns true if the project or the environment does not exist, in which case a retry cannot help. */
function isMissingEnvironment(error: unknown): boolean {
  return (error as { readonly code?: unknown } | undefined)?.code === 'not_found'
}
