import type { Caller } from '../operation/caller.ts'
import type { WriteContext } from '../operation/context.ts'
import type { Operation } from '../operation/operation.ts'
import { isSystem } from '../operation/system-caller.ts'
import { authorizeInput } from './authorize.ts'
import { CallContext } from './call-context.ts'
import type { DecodedCall, ExecutedCall } from './call-state.ts'
import type { ExecuteParts, Writing } from './execute-parts.ts'

/** Stage 6: calls the handler and commits its writes, all of them or none. */
export async function execute<C extends DecodedCall>(pipeline: ExecuteParts, call: C): Promise<C & ExecutedCall> {
  const authorizing = authorizeInput(pipeline, call)
  if (authorizing) await authorizing
  if (call.operation.method !== 'GET') {
    const writing = await pipeline.writing()
    const outcome = await writing.write(pipeline, writing, call, {
      notifies: !call.operation.dry,
      reportsConflicts: true,
    })
    const settling = pipeline.settled()
    if (settling) await settling
    return Object.assign(call, { outcome })
  }
  const context = new CallContext(pipeline, call, call.view.reader, call.view.authority)
  const { params, query, body } = call
  const handled = await call.operation.handle(context, { params, query, body })
  return Object.assign(call, { outcome: context.outcomeOf(handled) })
}

export interface SystemWork {
  /** Name of the work in the change log. */
  readonly id: string
  /** The engine itself, or the author of a scheduled change. */
  readonly caller: Caller
  handle(context: WriteContext): Promise<void>
}

/**
 * Commits a change that the engine itself makes, in the same way as every write. It may overwrite a concurrent change
 * of the same part, because there is no caller who could resolve a conflict.
 *
 * @throws ApiError `optimistic_locking_error` when another process does the same work.
 */
export async function executeAsSystem(pipeline: ExecuteParts, { id, caller, handle }: SystemWork): Promise<void> {
  const operation: Operation = {
    id,
    summary: id,
    method: 'POST',
    path: '',
    success: { status: 204 },
    errors: [],
    access: { open: true, why: 'this operation cannot be called' },
    handle,
  }
  const { view, options } = pipeline
  const call: DecodedCall = {
    operation,
    caller,
    origin: undefined,
    params: {},
    view,
    url: () => '',
    now: options.host.now(),
    ifMatch: undefined,
    grantedAction: undefined,
    query: {},
    body: undefined,
    dryRun: false,
  }
  const writing = await pipeline.writing()
  await writing.write(pipeline, writing, call, { notifies: !isSystem(caller), reportsConflicts: false })
}

/**
 * Returns a function that makes the parts that writes need. It makes them at its first call, and returns the same parts
 * later.
 */
export function writingOf(makeWriting: () => Writing | Promise<Writing>): ExecuteParts['writing'] {
  let writing: Writing | Promise<Writing> | undefined
  return () => {
    if (writing) return writing
    writing = makeWriting()
    // After a failed import, the next write imports again.
    if (writing instanceof Promise) {
      writing.catch(() => {
        writing = undefined
      })
    }
    return writing
  }
}
