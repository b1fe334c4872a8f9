import type { Host } from '../../../operation/context.ts'
import { fail } from '../../../operation/errors.ts'
import type { StreamSink } from '../../../operation/live-response.ts'
import {
  type RelayEnvironments,
  relayChangeMessages,
  relayPutMessage,
} from '../../../rules/sdk-protocol/relay-messages.ts'
import type { AccountStorage } from '../../../storage/port.ts'
import { type SdkResponse, streamHeaders } from '../sdk-response.ts'
import { StreamConnection } from '../stream-connection.ts'
import { RelayDirectory } from './relay-directory.ts'

/** An open stream. */
interface RelayStream {
  readonly connection: StreamConnection
  /** SHA-256 of the key with which the stream was opened. */
  readonly hash: string
  /** The environments that the relay has after the events that were sent. */
  sent: RelayEnvironments
}

const utf8 = new TextEncoder()

/** The streams on which relays receive their environments. */
export class RelayStreams {
  readonly #limit: number
  readonly #directory: RelayDirectory
  readonly #streams = new Set<RelayStream>()
  #isStopped = false

  /** @param limit maximum number of open streams. */
  constructor(storage: AccountStorage, host: Host, limit: number) {
    this.#limit = limit
    this.#directory = new RelayDirectory(storage, host, {
      isNeeded: () => this.#streams.size > 0,
      onChange: () => this.#update(),
    })
  }

  /** Number of open streams. */
  get count(): number {
    return this.#streams.size
  }

  /**
   * Returns a response that opens a stream.
   *
   * @param key the key of a relay.
   * @throws ApiError `unauthorized` for an unknown or expired key, `service_unavailable` when too many streams are
   *   open; any error of the storage.
   */
  async respond(key: string): Promise<SdkResponse> {
    const hash = (await this.#directory.find(key)) ?? fail('unauthorized', { message: 'Invalid relay key' })
    if (this.count >= this.#limit) fail('service_unavailable', { headers: { 'retry-after': '30' } })
    return { status: 200, headers: streamHeaders, body: undefined, live: (sink) => this.#open(hash, sink) }
  }

  /** Sends heartbeats, ends streams whose key has expired, and closes those whose relay does not read. */
  beat(now: number): void {
    this.#directory.beat()
    for (const stream of [...this.#streams]) if (!stream.connection.beat(now)) this.#streams.delete(stream)
  }

  /** Drops the documents that were read. */
  clear(): void {
    this.#directory.clear()
  }

  endAll(): void {
    for (const stream of [...this.#streams]) this.#end(stream)
  }

  /** Ends all streams, and every stream that begins later. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.endAll()
    await this.#directory.stop()
  }

  #open(hash: string, sink: StreamSink): () => void {
    // The key may have been replaced since it was looked up.
    const sent = this.#isStopped ? undefined : this.#directory.environmentsOf(hash)
    if (!sent) {
      sink.end()
      return () => {}
    }
    const stream: RelayStream = { connection: new StreamConnection(sink), hash, sent }
    this.#streams.add(stream)
    this.#send(stream, relayPutMessage(sent), true)
    // Changes that were reported since the look-up are read now that they are needed.
    this.#directory.check()
    return () => this.#streams.delete(stream)
  }

  #update(): void {
    for (const stream of [...this.#streams]) {
      const environments = this.#directory.environmentsOf(stream.hash)
      if (environments) this.#sendChanges(stream, environments)
      else this.#end(stream)
    }
  }

  #sendChanges(stream: RelayStream, environments: RelayEnvironments): void {
    const text = relayChangeMessages(stream.sent, environments)
    stream.sent = environments
    if (text !== '') this.#send(stream, text, false)
  }

  #send(stream: RelayStream, text: string, replacesAll: boolean): void {
    if (!stream.connection.send(utf8.encode(text), replacesAll)) this.#streams.delete(stream)
  }

  #end(stream: RelayStream): void {
    this.#streams.delete(stream)
    stream.connection.end()
  }
}
