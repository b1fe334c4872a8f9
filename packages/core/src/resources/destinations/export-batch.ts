import { parseEntryId } from '../../operation/change-log/entry-id.ts'
import { type ExportedEvent, exportSchemaVersion } from '../../operation/exported-event.ts'
import type { Sample, Task } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'
import { serializeEntries } from '../change-log/change-log-response.ts'
import { findEntry } from '../change-log/find-entry.ts'
import type { Destination } from './destination.ts'
import { exportTasks, type WaitingExport, waitingEvents } from './destination-outbox.ts'

/** Maximum number of events that are sent together, unless one task has more. */
const maxEvents = 500

/** Maximum number of tasks that are read for one batch. */
const maxTasks = 100

/** Times of exported changes have a fixed format, whatever format the engine uses in responses. */
const exportFormat = { time: (ms: number) => ms }

/** Tasks that are sent together, with their events. */
export interface WaitingBatch {
  /** The leased task, and after it the tasks that follow it directly in the outbox. */
  readonly tasks: readonly Task[]
  readonly events: readonly ExportedEvent[]
}

/**
 * Reads the events of a leased task and of the tasks that follow it. While the first task of an ordering key is leased,
 * no other process can send the following ones.
 */
export async function readWaitingBatch(tx: Reader, destination: Destination, leased: Task): Promise<WaitingBatch> {
  const waiting = await tx.listTasks(exportTasks, destination, { limit: maxTasks })
  const start = waiting.findIndex(({ id }) => id === leased.id)
  const tasks = withinLimit([leased, ...(start < 0 ? [] : waiting.slice(start + 1))])
  const events = await Promise.all(tasks.map((task) => eventsOf(tx, destination, task)))
  return { tasks, events: events.flat() }
}

function withinLimit(tasks: readonly Task[]): Task[] {
  let count = 0
  const end = tasks.findIndex(({ body }, index) => {
    count += (body as WaitingExport).count
    return index > 0 && count > maxEvents
  })
  return end < 0 ? [...tasks] : tasks.slice(0, end)
}

/** Returns the events of a task; an empty list when the change log no longer contains the entry. */
async function eventsOf(tx: Reader, destination: Destination, task: Task): Promise<readonly ExportedEvent[]> {
  if ((task.body as WaitingExport).content === 'events') {
    const sample = await findSample(tx, destination, task)
    return sample ? (sample.body as { readonly events: readonly ExportedEvent[] }).events : []
  }
  const position = parseEntryId(task.id)
  const entry = position && (await findEntry(tx, position))
  if (!entry) return []
  const [change] = await serializeEntries({ tx, format: exportFormat }, [entry])
  if (!change) return []
  const { projectKey, environmentKey } = destination
  const keys = { projectKey, environmentKey }
  return [{ schemaVersion: exportSchemaVersion, id: task.id, kind: 'change', time: entry.at, ...keys, change }]
}

async function findSample(tx: Reader, destination: Destination, { id, at }: Task): Promise<Sample | undefined> {
  // `before` is exclusive, so it is set just behind the position of the task: the result is the sample of the task if
  // that is still stored.
  const [sample] = await tx.newest(waitingEvents, destination, { limit: 1, before: { at, id: `${id}\u0001` } })
  return sample?.id === id ? sample : undefined
}
