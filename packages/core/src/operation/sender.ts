/** A webhook message, ready to be sent. */
export interface WebhookMessage {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON text, exactly as it was signed. */
  readonly body: string
  /** Maximum duration of the request, ms. */
  readonly timeoutMs: number
  /** Aborts the attempt. */
  readonly signal?: AbortSignal
}

/**
 * Outcome of sending a message. A sender resolves with one of these for every network failure, and never rejects for
 * one.
 */
export type SendOutcome =
  | {
      readonly outcome: 'answered'
      readonly status: number
      /** The first 1,024 characters of the response. */
      readonly body: string
      /** Header `Retry-After` as the receiver wrote it. */
      readonly retryAfter?: string
      /** Duration of the request, ms. */
      readonly ms: number
    }
  | {
      readonly outcome: 'failed'
      /** Reason of the failure: one plain sentence without secrets. */
      readonly reason: string
      /** True when the sender does not allow the address. */
      readonly refused?: boolean
    }

/**
 * Posts a message to its receiver. Does not follow redirects, never rejects for a network failure, and ends when the
 * timeout is over.
 */
export type Send = (message: WebhookMessage) => Promise<SendOutcome>
