import type { ExportedEvent } from './exported-event.ts'

/** Sends events to destinations of one kind. */
export interface Exporter {
  /** Kind of the destinations, e.g. `kinesis`. */
  readonly kind: string
  /**
   * Sends the events of a batch in their order. It must resolve only after the destination has stored all of them. A
   * batch that failed is sent again, so that the destination gets each event at least once. The engine treats a
   * rejection as a failure without a reason, because the message of an error can contain secrets.
   *
   * @param signal aborted when the host stops or the time for the batch is over.
   */
  send(batch: ExportBatch, signal: AbortSignal): Promise<ExportOutcome>
}

/** Events for one destination. */
export interface ExportBatch {
  /** Id of the first event's delivery. It stays the same when the batch is sent again. */
  readonly id: string
  readonly projectKey: string
  readonly environmentKey: string
  /** The configuration of the destination, with its secrets in plain text. */
  readonly config: Readonly<Record<string, string>>
  /** The external id of the environment's trust policy; undefined until the trust policy was generated. */
  readonly externalId: string | undefined
  /** At least 1 event, in the order of their delivery. */
  readonly events: readonly ExportedEvent[]
}

/** Outcome of sending a batch. */
export type ExportOutcome =
  | {
      readonly outcome: 'sent'
      /** Status of the destination's last response, where it has one. */
      readonly status?: number
      /** Number of events that were left out because they are larger than the destination accepts. Default 0. */
      readonly skipped?: number
    }
  | {
      readonly outcome: 'failed'
      /** Reason of the failure: one plain sentence without secrets. */
      readonly reason: string
      readonly status?: number
      /** Header `Retry-After` as the destination wrote it. */
      readonly retryAfter?: string
    }
