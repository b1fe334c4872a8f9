import type { EngineResponse } from './engine-request.ts'

/** Where a transport takes what a stream sends. Nothing of it waits, and nothing throws. */
export interface StreamSink {
  /** Sends bytes, which others are sent as well: they must not be changed. */
  send(chunk: Uint8Array): void
  /** Bytes that were sent and that nobody has taken yet. */
  backlog(): number
  /** Ends the stream; what was sent can still be taken. */
  end(): void
  /** Cuts the stream off; what was not taken is lost. */
  abort(): void
}

/** An answer that may go on for as long as the connection does. */
export interface LiveResponse extends EngineResponse {
  /**
   * Begins to send, once the head of the answer has gone out.
   *
   * @returns what the transport calls when the connection is over.
   */
  readonly live?: (sink: StreamSink) => () => void
}
