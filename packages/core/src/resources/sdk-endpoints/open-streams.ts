import { fail } from '../../operation/errors.ts'
import type { StreamSink } from '../../operation/live-response.ts'
import type { EvaluatorHandle } from '../evaluation/evaluator.ts'
import { type EnvironmentStreams, environmentStreams } from './environment-streams.ts'
import type { Payloads } from './payloads.ts'
import type { SdkKeys, VerifiedKey } from './sdk-keys.ts'
import { type SdkResponse, streamHeaders } from './sdk-response.ts'

/** The kind of SDKs that a stream serves, and the function that opens it. */
export interface StreamAudience {
  readonly kind: 'servers' | 'clients'
  readonly open: (streams: EnvironmentStreams, sink: StreamSink) => () => void
}

/** The open streams of all environments of an account. */
export class OpenStreams {
  readonly #payloads: Payloads
  readonly #limit: number
  readonly #byEnvironment = new Map<EvaluatorHandle, EnvironmentStreams>()
  #isStopped = false

  /** @param limit maximum number of open streams to servers, and maximum number of open streams to clients. */
  constructor(payloads: Payloads, limit: number) {
    this.#payloads = payloads
    this.#limit = limit
  }

  get isEmpty(): boolean {
    return this.#byEnvironment.size === 0
  }

  /** Returns the number of open streams to servers or to clients. */
  count(kind: 'servers' | 'clients'): number {
    let count = 0
    for (const streams of this.#byEnvironment.values()) count += streams[kind]
    return count
  }

  /**
   * Returns a response that opens a stream to an environment. The key may have been replaced since the engine looked it
   * up: then the stream ends immediately.
   *
   * @throws ApiError `service_unavailable` when too many streams are open.
   */
  respond(handle: EvaluatorHandle, key: VerifiedKey, keys: SdkKeys, { kind, open }: StreamAudience): SdkResponse {
    if (this.count(kind) >= this.#limit) fail('service_unavailable', { headers: { 'retry-after': '30' } })
    const live = (sink: StreamSink) => {
      if (this.#isStopped || !keys.isValid(key)) {
        sink.end()
        return () => {}
      }
      const close = open(this.#streamsOf(handle), sink)
      keys.check()
      return close
    }
    return { status: 200, headers: streamHeaders, body: undefined, live }
  }

  beat(now: number): void {
    for (const streams of this.#all()) streams.beat(now)
  }

  /** Ends the streams whose key is no longer valid. */
  endUnless(isValid: (key: VerifiedKey) => boolean): void {
    for (const streams of this.#all()) streams.endUnless(isValid)
  }

  endAll(): void {
    for (const streams of this.#all()) streams.endAll()
  }

  /** Ends all streams, and every stream that begins later. */
  stop(): void {
    this.#isStopped = true
    this.endAll()
  }

  /** Returns a copy, because an environment without streams removes itself from the map. */
  #all(): EnvironmentStreams[] {
    return [...this.#byEnvironment.values()]
  }

  #streamsOf(handle: EvaluatorHandle): EnvironmentStreams {
    const existing = this.#byEnvironment.get(handle)
    if (existing) return existing
    const streams = environmentStreams(handle, this.#payloads, () => this.#byEnvironment.delete(handle))
    this.#byEnvironment.set(handle, streams)
    return streams
  }
}
