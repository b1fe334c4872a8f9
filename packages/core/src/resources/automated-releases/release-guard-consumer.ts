import { automatedReleaseTasks } from '../../models/flags/automated-release-tasks.ts'
import { type Measurement, measurements } from '../../models/measurements/measurement.ts'
import { reportedItem } from '../../rules/measurement/measured-report.ts'
import type { EventConsumer } from '../sdk-events/event-consumer.ts'

/** No limit, because every running release is judged. */
const noLimit = 2 ** 31 - 1

/**
 * Enqueues a task for each running guarded release of an environment when events are written that a metric can measure.
 * The task is in the same commit as the events, so that no event stays unjudged when a process ends.
 */
export const releaseGuardConsumer: EventConsumer<true> = {
  take({ events, trusted, isKnownFlag }) {
    const mayReport = trusted ? () => true : isKnownFlag
    return events.some((event) => reportedItem(event, mayReport)) ? [true] : []
  },

  async changes(storage, { projectKey, environmentKey }, _, host) {
    const keys = { projectKey, environmentKey }
    const { items } = await storage.list({
      collection: measurements.name,
      scope: measurements.address.scope({ ...keys, measurementId: '' }),
      where: [{ op: 'exists', field: 'endedAt', value: false }],
      limit: noLimit,
      select: 'bodies',
    })
    const now = host.now()
    return items
      .map(({ body }) => body as Measurement)
      .flatMap(({ kind, id, flagKey }) => {
        if (kind !== 'guarded-release' || flagKey === undefined) return []
        const body = { ...keys, flagKey, id, judges: true }
        const task = { id: host.newId(), lane: '', at: now, due: now, body }
        return [{ do: 'enqueue', queue: automatedReleaseTasks.id({ ...keys, flagKey }), tasks: [task] } as const]
      })
  },
}
