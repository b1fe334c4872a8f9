import { environments } from '../models/environments/environment.ts'
import { allGuards } from '../operation/commit-guard.ts'
import type { EngineOptions } from '../operation/engine-options.ts'
import type { Operation } from '../operation/operation.ts'
import type { ResourceDescriptor } from '../operation/resource.ts'
import type { TaskWorkerFactory } from '../operation/tasks/task-worker.ts'
import { UndoTable } from '../operation/undo/undo-table.ts'
import { CommitHooks } from '../pipeline/commit-hooks.ts'
import type { Writing } from '../pipeline/execute-parts.ts'
import { write } from '../pipeline/write.ts'
import { withTimeout } from '../platform.ts'
import { approvalGuard } from '../resources/approval-guard.ts'
import { combinedAudience, exportAudience } from '../resources/destinations/export-audience.ts'
import { storedCollections } from '../resources/generated/stored-collections.ts'
import { references } from '../resources/references/references.ts'
import { servedKeyGuard } from '../resources/served-keys.ts'
import { webhookAudience } from '../resources/webhooks/webhook-audience.ts'

/**
 * Makes the parts that the writes of one engine need. They are the same for all engines, whatever their operations,
 * because engines with other operations may use the same storage.
 *
 * @param operations the operations of the engine, which declare how changes are undone.
 */
export function makeWriting(
  operations: readonly Operation[],
  { exporters, hooks, host }: Pick<EngineOptions, 'exporters' | 'hooks' | 'host'>,
): Writing {
  return {
    write,
    // Few programs combine operations, so the code is imported at the first use.
    runChanges: async (...input) => (await import('../pipeline/changes/run-changes.ts')).runChanges(...input),
    undo: new UndoTable(operations, storedCollections),
    collections: storedCollections,
    references,
    environments,
    guard: allGuards([servedKeyGuard, approvalGuard]),
    hooks: hooks.length > 0 ? new CommitHooks(hooks, host, withTimeout) : undefined,
    audience: exporters ? combinedAudience(webhookAudience(), exportAudience()) : webhookAudience(),
  }
}

/**
 * Returns an operation that writes, with the parts that its writes need. Only this function refers to them, so an
 * engine without such operations does not contain them (docs/decisions/0043-build-engines-from-selected-operations.md).
 */
export function writingOperation<Each extends Operation>(operation: Each): Each {
  return { ...operation, makeWriting }
}

/** Returns a worker with the parts that its writes need. */
export function writingWorker(worker: TaskWorkerFactory): TaskWorkerFactory {
  const create: TaskWorkerFactory = (tools) => worker(tools)
  return Object.assign(create, { makeWriting })
}

/** Returns the descriptor of a resource, with the parts that the writes of its operations need. */
export function writingResource<Operations extends readonly Operation[]>(
  descriptor: ResourceDescriptor<Operations>,
): ResourceDescriptor<Operations> {
  const operations = descriptor.operations.map((each) => (each.method === 'GET' ? each : writingOperation(each)))
  // Cast: each operation keeps its type and its position in the list.
  return { ...descriptor, operations: operations as readonly Operation[] as Operations }
}
