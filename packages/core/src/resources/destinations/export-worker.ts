import type { ExportBatch, Exporter, ExportOutcome } from '../../operation/exporter.ts'
import type { TaskContext, TaskResult, TaskWorker, TaskWorkerTools } from '../../operation/tasks/task-worker.ts'
import { parseAddress, type Resource } from '../../rules/address.ts'
import { retryAfterAt } from '../../rules/webhook-retry/retry-plan.ts'
import type { TakenTask } from '../../storage/port.ts'
import { type Destination, destinations } from './destination.ts'
import { destinationFailures, type ExportAttempt, exportTasks, type WaitingExport } from './destination-outbox.ts'
import { readWaitingBatch, type WaitingBatch } from './export-batch.ts'
import { exportIdentities } from './export-identity.ts'
import { keepOutbox } from './keep-outbox.ts'
import { finishTasks, recordExport } from './record-export.ts'

/** Maximum time for sending a batch, in ms. */
const timeoutMs = 30_000

/**
 * Makes the worker that sends waiting events to destinations
 * (docs/decisions/0057-keep-an-outbox-for-each-destination.md); undefined when the engine has no exporters, so that
 * another engine sends the events.
 */
export function exportWorker({ exporters = [] }: Pick<TaskWorkerTools, 'exporters'>): TaskWorker | undefined {
  if (exporters.length === 0) return undefined
  return {
    queue: exportTasks.name,
    caller: 'system/data-export',
    maxMs: timeoutMs,
    async work(task, context) {
      const { tx, host } = context
      const keys = keysOf(task)
      const [destination, failures] = await Promise.all([tx.get(destinations, keys), tx.get(destinationFailures, keys)])
      if (!destination) return drop(context, keys, [task])
      if (!destination.on) return keepOutbox(context, keys, task)
      const waiting = await readWaitingBatch(tx, destination, task)
      if (waiting.events.length === 0) return drop(context, keys, waiting.tasks)
      const start = host.now()
      const outcome = await sendBatch(exporters, { destination, batch: waiting }, context)
      if (outcome.outcome === 'failed' && context.signal?.aborted) return postponeUnchanged(context, keys, task)
      const now = host.now()
      const notBefore =
        outcome.outcome === 'failed' && outcome.retryAfter ? retryAfterAt(outcome.retryAfter, now) : undefined
      const attempt = attemptOf(task, waiting, { outcome, ms: now - start })
      const input = { destination, failingSince: failures?.since ?? now, task, waiting, attempt, notBefore }
      const written = await context.write('exportData', (write) => recordExport(write, input))
      if (!written) return { outcome: 'lost' }
      if (attempt.outcome === 'success') return { outcome: 'done' }
      return { outcome: 'failed', ...(notBefore ? { notBefore } : {}) }
    },
  }
}

type DestinationKeys = Pick<Destination, 'projectKey' | 'environmentKey' | 'id'>

function keysOf({ scope }: TakenTask): DestinationKeys {
  const [project, environment, destination] = parseAddress(scope) as Resource
  return {
    projectKey: project?.key as string,
    environmentKey: environment?.key as string,
    id: destination?.key as string,
  }
}

/** Removes tasks whose destination was deleted, or whose entries are no longer in the change log. */
async function drop({ write }: TaskContext, keys: DestinationKeys, tasks: WaitingBatch['tasks']): Promise<TaskResult> {
  const recorded = await write('exportData', async ({ tx }) => finishTasks(tx, keys, tasks))
  return { outcome: recorded ? 'dropped' : 'lost' }
}

/**
 * Postpones a task and leaves it unchanged, because the host aborted the attempt. An aborted attempt does not count as
 * a failure of the destination.
 */
async function postponeUnchanged({ write }: TaskContext, keys: DestinationKeys, task: TakenTask): Promise<TaskResult> {
  await write('exportData', async ({ tx }) => tx.postpone(exportTasks, keys, task, task))
  return { outcome: 'lost' }
}

/** The events that wait for a destination. */
interface DestinationBatch {
  readonly destination: Destination
  readonly batch: WaitingBatch
}

async function sendBatch(
  exporters: readonly Exporter[],
  { destination, batch: { tasks, events } }: DestinationBatch,
  { tx, host, signal }: TaskContext,
): Promise<ExportOutcome> {
  const { kind, projectKey, environmentKey, config, credentials } = destination
  const exporter = exporters.find((candidate) => candidate.kind === kind)
  if (!exporter) return { outcome: 'failed', reason: `This engine has no exporter of the kind ${kind}.` }
  const externalId = (await tx.get(exportIdentities, destination))?.externalId
  const batch: ExportBatch = {
    id: tasks[0]?.id as string,
    projectKey,
    environmentKey,
    config: { ...config, ...credentials },
    externalId,
    events,
  }
  const timeoutSignal = AbortSignal.timeout(timeoutMs)
  try {
    return await exporter.send(batch, signal ? AbortSignal.any([signal, timeoutSignal]) : timeoutSignal)
  } catch (error) {
    // The message of the error can contain secrets, so the log has only its name.
    const name = error instanceof Error ? error.name : typeof error
    host.log({ level: 'error', event: 'data-export-failed', message: `${kind}: ${name}` })
    if (timeoutSignal.aborted) return { outcome: 'failed', reason: `No response within ${timeoutMs} ms.` }
    return { outcome: 'failed', reason: 'The exporter failed.' }
  }
}

/** The outcome of an attempt, and its duration. */
interface TimedOutcome {
  readonly outcome: ExportOutcome
  readonly ms: number
}

function attemptOf(task: TakenTask, { events }: WaitingBatch, { outcome, ms }: TimedOutcome): ExportAttempt {
  const number = (task.body as WaitingExport).attempt + 1
  const common = { delivery: task.id, number, events: events.length, ms }
  const status = outcome.status === undefined ? {} : { status: outcome.status }
  if (outcome.outcome === 'failed') return { ...common, ...status, outcome: 'failure', reason: outcome.reason }
  return { ...common, ...status, outcome: 'success', ...(outcome.skipped ? { skipped: outcome.skipped } : {}) }
}
