/** A webhook message, ready to be sent. */
export interface WebhookMessage {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON, as it was signed. */
  readonly body: string
  /** How long the receiver may take, ms. */
  readonly timeoutMs: number
  /** Ends the attempt early. */
  readonly signal?: AbortSignal
}

/**
 * What became of sending a message. Every outcome that can be expected is one of these: a sender never rejects for
 * them.
 */
export type SendOutcome =
  | {
      readonly outcome: 'answered'
      readonly status: number
      /** The first 1,024 characters of the answer. */
      readonly body: string
      /** Header `Retry-After` as the receiver wrote it. */
      readonly retryAfter?: string
      /** How long it took. */
      readonly ms: number
    }
  | {
      readonly outcome: 'failed'
      /** One plain sentence without secrets. */
      readonly reason: string
      /** The address is not allowed. */
      readonly refused?: boolean
    }

/**
 * Posts a message to its receiver. Redirects are not followed. Never rejects for what can be expected of a network, and
 * ends when the time-out is over.
 */
export type Send = (message: WebhookMessage) => Promise<SendOutcome>
