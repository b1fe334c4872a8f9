import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import type { LogOrder } from '../../operation/change-log/change-log.ts'
import { entryId } from '../../operation/change-log/entry-id.ts'
import type { Host } from '../../operation/context.ts'
import { type ExportedEvent, exportSchemaVersion } from '../../operation/exported-event.ts'
import type { SdkEvent } from '../../rules/sdk-protocol/sdk-events.ts'
import type { Change, Sample, Task } from '../../storage/port.ts'
import type { EventConsumer, EventReport, EventStorage } from '../sdk-events/event-consumer.ts'
import { type Destination, destinations } from './destination.ts'
import {
  attemptSample,
  eventsSample,
  eventsTask,
  exportAttempts,
  exportTasks,
  maxWaitingCharacters,
  maxWaitingTasks,
  type WaitingExport,
  waitingEvents,
} from './destination-outbox.ts'
import { listActiveDestinations } from './export-audience.ts'

/** Maximum number of events of one task, and of the characters of their JSON, unless one event has more. */
const maxTaskEvents = 500
const maxTaskCharacters = 256 * 1024

/** The JSON of an exported event without its id. */
type EventText = string

/** A task and the sample that contains its events. */
interface EventGroup {
  readonly task: Task
  readonly sample: Sample
}

/**
 * Makes the consumer that adds evaluations and custom events to the outboxes of the active destinations of their
 * environment, in the commit of the report that contains them.
 *
 * @param order assigns the positions of groups of events, and those of the entries of the change log: a destination gets
 *   both in one order, even when the clock goes back.
 */
export function exportConsumer(order: Pick<LogOrder, 'next'>): EventConsumer<EventText> {
  return {
    take: (report, environmentKeys) =>
      report.events.flatMap((event) => eventText(event, report, environmentKeys) ?? []),
    async changes(storage, environmentKeys, texts, host) {
      const scope = destinations.address.scope({ ...environmentKeys, id: '' })
      const receivers = await listActiveDestinations(storage, scope)
      if (receivers.length === 0) return []
      const groups = split(texts).map((group) => {
        const position = order.next(host.now())
        // An id of the same form as that of a change, because tasks with the same time are sorted by their ids.
        return eventGroup(group, { id: entryId(position), at: position.at, due: position.at })
      })
      const changes = await Promise.all(receivers.map((receiver) => outboxChanges(storage, receiver, groups, host)))
      return changes.flat()
    },
  }
}

function eventText(event: SdkEvent, { isKnownFlag }: EventReport, keys: EnvironmentKeys): EventText | undefined {
  const common = { schemaVersion: exportSchemaVersion, ...keys } as const
  if (event.kind === 'custom') {
    const { kind, at, key, data, value, contextKeys } = event
    return textOf({ ...common, kind, time: at, contextKeys, key, data, metricValue: value })
  }
  // An SDK that debugs a flag sends an event of the kind `debug` for an evaluation in addition to `feature`.
  if (event.kind !== 'feature' || !isKnownFlag(event.flagKey)) return undefined
  const { at, flagKey, version, variation, value, contextKeys } = event
  const evaluation = { kind: 'evaluation' as const, time: at, contextKeys, flagKey, flagVersion: version, value }
  return textOf({ ...common, ...evaluation, ...(variation === null ? {} : { variation }) })
}

/** Returns the JSON; undefined for data of `engine.track` that JSON cannot contain. */
function textOf(event: DistributiveOmit<ExportedEvent, 'id'>): EventText | undefined {
  try {
    return JSON.stringify(event)
  } catch {
    return undefined
  }
}

type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never

function split(texts: readonly EventText[]): EventText[][] {
  const groups: EventText[][] = []
  let size = 0
  for (const text of texts) {
    const group = groups.at(-1)
    if (group && group.length < maxTaskEvents && size + text.length <= maxTaskCharacters) {
      group.push(text)
      size += text.length
    } else {
      groups.push([text])
      size = text.length
    }
  }
  return groups
}

function eventGroup(texts: readonly EventText[], { id, at, due }: Pick<Task, 'id' | 'at' | 'due'>): EventGroup {
  const events = texts.map((text, index) => ({ id: `${id}-${index}`, ...JSON.parse(text) }) as ExportedEvent)
  const characters = texts.reduce((sum, { length }) => sum + length, 0)
  return {
    task: eventsTask(id, { at, due, count: events.length, characters }),
    sample: eventsSample({ id, at }, events),
  }
}

async function outboxChanges(
  storage: EventStorage,
  destination: Destination,
  groups: readonly EventGroup[],
  host: Host,
): Promise<readonly Change[]> {
  const tasks = groups.map(({ task }) => task)
  if (await isFull(storage, destination)) {
    const [{ id = '' } = {}] = tasks
    const events = tasks.reduce((sum, { body }) => sum + (body as WaitingExport).count, 0)
    const attempt = { delivery: id, outcome: 'dropped', reason: fullReason, number: 1, events } as const
    host.log({
      level: 'error',
      event: 'data-export-dropped',
      message: `${events} events of destination ${destination.id} were dropped`,
    })
    const samples = [attemptSample(host.newId(), host.now(), attempt)]
    return [{ do: 'append', series: exportAttempts.id(destination), samples }]
  }
  return [
    { do: 'append', series: waitingEvents.id(destination), samples: groups.map(({ sample }) => sample) },
    { do: 'enqueue', queue: exportTasks.id(destination), tasks },
  ]
}

const fullReason = 'The outbox of the destination is full of earlier events that it has not received.'

async function isFull(storage: EventStorage, destination: Destination): Promise<boolean> {
  const waiting = await storage.listTasks(exportTasks.id(destination), { limit: maxWaitingTasks })
  const characters = waiting.reduce((sum, { body }) => sum + ((body as WaitingExport).characters ?? 0), 0)
  return waiting.length >= maxWaitingTasks || characters >= maxWaitingCharacters
}
