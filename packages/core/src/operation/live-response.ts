import type { EngineResponse } from './engine-request.ts'

/** The transport's side of a stream. No method waits or throws. */
export interface StreamSink {
  /** Sends bytes. Other streams send the same bytes, so the transport must not change them. */
  send(chunk: Uint8Array): void
  /** Number of bytes that were sent and that the connection has not accepted yet. */
  backlog(): number
  /** Ends the stream after the bytes that were sent. */
  end(): void
  /** Aborts the stream; bytes that the connection has not accepted are lost. */
  abort(): void
}

/** A response that can continue until the connection is closed. */
export interface LiveResponse extends EngineResponse {
  /**
   * Starts to send, after the transport has sent the status and headers.
   *
   * @returns a function that the transport calls when the connection is closed.
   */
  readonly live?: (sink: StreamSink) => () => void
}
