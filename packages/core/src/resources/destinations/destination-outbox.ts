import { exportSchemaVersion } from '../../operation/exported-event.ts'
import { documents, queue, series, type Versioned } from '../../storage/collection.ts'
import type { Sample, Task } from '../../storage/port.ts'

const address = 'proj/{projectKey}:env/{environmentKey}:destination/{id}'

/**
 * The outbox of a destination: changes and events that it has not received yet, in the order of their delivery. A task
 * is one change or one batch of events, and is removed when the destination has received it
 * (docs/decisions/0057-keep-an-outbox-for-each-destination.md).
 */
export const exportTasks = queue({ name: 'exports', address })

/** The events of batches that wait. A sample has the id and the time of its task. */
export const waitingEvents = series({ name: 'export-events', address })

/**
 * All attempts to send to a destination, retained for thirty days. The label is the id of the first task; the values
 * are status, duration in ms, number of the attempt, number of events, and number of events that were left out.
 */
export const exportAttempts = series({ name: 'export-attempts', address })

/** Retention time of attempts, in ms. */
export const attemptRetentionMs = 30 * 24 * 60 * 60 * 1000

/** Time for which a destination that is off keeps its undelivered events, in ms. */
export const outboxRetentionMs = 7 * 24 * 60 * 60 * 1000

/**
 * Maximum number of tasks that wait for a destination, and of the characters of their events. Further events are
 * dropped, further changes are not.
 */
export const maxWaitingTasks = 30_000
export const maxWaitingCharacters = 1024 ** 3

/** The body of a task. */
export interface WaitingExport {
  /** `change`: an entry of the change log, which has the same id as the task. `events`: a batch of events. */
  readonly content: 'change' | 'events'
  /** Number of events. */
  readonly count: number
  /** Number of characters of the JSON of the events of a batch. */
  readonly characters?: number
  /** Number of attempts so far. */
  readonly attempt: number
}

/** All tasks of a destination have the same ordering key, so that it gets everything in order. */
const orderingKey = 'destination'

/** Makes the task that sends a change. */
export function changeTask(id: string, at: number, due: number): Task {
  const body: WaitingExport = { content: 'change', count: 1, attempt: 0 }
  return { id, lane: orderingKey, at, due, body }
}

/**
 * Makes the task that sends a batch of events.
 *
 * @param input.at position in the outbox; integer ms.
 * @param input.due time from which it is sent: integer ms, UTC.
 */
export function eventsTask(
  id: string,
  { at, due, count, characters }: Pick<Task, 'at' | 'due'> & Required<Pick<WaitingExport, 'count' | 'characters'>>,
): Task {
  const body: WaitingExport = { content: 'events', count, characters, attempt: 0 }
  return { id, lane: orderingKey, at, due, body }
}

/** Makes the sample that contains the events of a task. */
export function eventsSample({ id, at }: Pick<Task, 'id' | 'at'>, events: readonly object[]): Sample {
  return { id, at, label: '', values: [], body: { schemaVersion: exportSchemaVersion, events } }
}

/** An attempt to send events to a destination. */
export interface ExportAttempt {
  /** Id of the first task. */
  readonly delivery: string
  readonly outcome: 'success' | 'failure' | 'dropped'
  /** Reason of a failure, or why events were dropped, as a sentence. */
  readonly reason?: string
  /** Undefined when the destination did not respond. */
  readonly status?: number
  /** Duration of the attempt, ms. */
  readonly ms?: number
  /** Number of the attempt; the first one has 1. */
  readonly number: number
  /** Number of events of the attempt. */
  readonly events: number
  /** Number of events that were left out because they are larger than the destination accepts. */
  readonly skipped?: number
}

/** Returns the sample of an attempt. */
export function attemptSample(id: string, time: number, attempt: ExportAttempt): Sample {
  const { delivery, status = null, ms = null, number, events, skipped = 0, ...body } = attempt
  return { id, at: time, label: delivery, values: [status, ms, number, events, skipped], body }
}

/** Returns the attempt that a sample records. */
export function exportAttempt({ label, values, body }: Sample): ExportAttempt {
  const [status, ms, number, events, skipped] = values
  return {
    ...(body as Pick<ExportAttempt, 'outcome' | 'reason'>),
    delivery: label,
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof ms === 'number' ? { ms } : {}),
    number: number ?? 1,
    events: events ?? 0,
    ...(skipped ? { skipped } : {}),
  }
}

/** Time of the first failure of a destination since its last success. Deleted by a success. */
export interface DestinationFailures extends Versioned {
  /** Integer ms. */
  readonly since: number
}

export const destinationFailures = documents<DestinationFailures>()({
  name: 'destination-failures',
  address: `${address}:failures/since`,
})
