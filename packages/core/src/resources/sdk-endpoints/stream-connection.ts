import type { StreamSink } from '../../operation/live-response.ts'
import { heartbeatMessage } from '../../rules/sdk-protocol/server-messages.ts'

/** Maximum number of unread bytes of a stream, in addition to an event that replaces all data. */
const maxUnread = 1024 * 1024

/** Time after which a stream without any reads is closed, in ms. */
const stallTimeoutMs = 60_000

/** The bytes of a heartbeat: a comment without content. */
const heartbeat = /* @__PURE__ */ new TextEncoder().encode(heartbeatMessage)

/** The connection of a stream. It is aborted when its client does not read; a live client connects again. */
export class StreamConnection {
  readonly #sink: StreamSink
  /** Size of the last event that replaced all data, in bytes. Clients may need some time to read it. */
  #lastFullSize = 0
  /** Unread bytes at the last heartbeat, and the time since which no bytes were read. */
  #backlog = 0
  #stalledAt: number | undefined

  constructor(sink: StreamSink) {
    this.#sink = sink
  }

  /**
   * Sends bytes.
   *
   * @param replacesAll true for an event that replaces all data.
   * @returns false when the client has too many unread bytes, so that the connection was aborted.
   */
  send(chunk: Uint8Array, replacesAll: boolean): boolean {
    if (this.#sink.backlog() > maxUnread + this.#lastFullSize) {
      this.#sink.abort()
      return false
    }
    if (replacesAll) this.#lastFullSize = chunk.byteLength
    this.#sink.send(chunk)
    return true
  }

  /**
   * Sends a heartbeat.
   *
   * @param now integer ms.
   * @returns false when the client has read nothing for a minute, or has too many unread bytes, so that the connection
   *   was aborted.
   */
  beat(now: number): boolean {
    const backlog = this.#sink.backlog()
    const isStalled = backlog > 0 && backlog >= this.#backlog
    this.#stalledAt = isStalled ? (this.#stalledAt ?? now) : undefined
    if (this.#stalledAt !== undefined && now - this.#stalledAt >= stallTimeoutMs) {
      this.#sink.abort()
      return false
    }
    const isOpen = this.send(heartbeat, false)
    this.#backlog = this.#sink.backlog()
    return isOpen
  }

  /** Ends the stream after the bytes that were sent. */
  end(): void {
    this.#sink.end()
  }
}
