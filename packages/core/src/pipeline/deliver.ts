import { ApiError } from '../operation/errors.ts'
import { systemCaller } from '../operation/system-caller.ts'
import type { WorkContext, Worker, WorkerMaker } from '../operation/worker.ts'
import { reader } from '../storage/reader.ts'
import { runAsSystem } from './run.ts'
import type { RunParts } from './run-parts.ts'
import { type WorkedThrough, type WorkState, workThrough } from './work-through.ts'

/** How much of what is due is done at once, and how long. */
export interface DeliverOptions {
  /** Tasks at most. Default 100. */
  readonly limit?: number
  /** Nothing is begun after this time; integer ms, UTC. Default: none. */
  readonly deadline?: number
  /** Once it is aborted nothing is begun, and what is under way is cut off and given back. Default: none. */
  readonly signal?: AbortSignal
}

/** What became of what was due. */
export interface Delivered {
  readonly delivered: number
  /** Attempts that failed; most are made again later. */
  readonly failed: number
  /** Whether more may be due: it stopped for `limit` or `deadline`. */
  readonly more: boolean
}

interface KnownWorker {
  readonly worker: Worker
  readonly state: WorkState
}

/**
 * Makes `engine.deliver`: one queue after the other is worked through, each by its own worker, with what the ones
 * before it left of the limit. Workers that only write come before those that wait for somebody else's server: whoever
 * takes longest comes last.
 */
export function delivery(parts: RunParts, makers: readonly WorkerMaker[]) {
  let known: readonly KnownWorker[] | undefined
  return async ({
    limit = 100,
    deadline = Number.POSITIVE_INFINITY,
    signal,
  }: DeliverOptions = {}): Promise<Delivered> => {
    if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError('limit: must be a positive integer')
    known ??= knownWorkers(parts, makers)
    let sum: Delivered = { delivered: 0, failed: 0, more: false }
    let left = limit
    for (const { worker, state } of known) {
      if (left === 0) return { ...sum, more: true }
      const context = contextOf(parts, worker, signal)
      const worked = await workThrough(parts, worker, context, state, { limit: left, deadline, signal })
      left -= worked.begun
      sum = added(sum, worked)
    }
    return sum
  }
}

function knownWorkers({ storage, options: { send } }: RunParts, makers: readonly WorkerMaker[]): KnownWorker[] {
  if (makers.length === 0) throw new Error('workers: to deliver, an engine needs at least one in its design')
  return makers
    .flatMap((make) => make({ storage, send }) ?? [])
    .sort((a, b) => a.mostMs - b.mostMs)
    .map((worker) => ({ worker, state: { struggling: new Map(), underWay: new Map() } }))
}

function contextOf(parts: RunParts, { caller }: Worker, signal: AbortSignal | undefined): WorkContext {
  return {
    signal,
    // Never from memory: a task that is dropped for what was so a moment ago is lost.
    tx: reader(parts.storage),
    host: parts.options.host,
    wire: parts.wire,
    async write(id, handle, by = systemCaller(caller, parts.policy)) {
      try {
        await runAsSystem(parts, { id, caller: by, handle })
        return true
      } catch (error) {
        if (error instanceof ApiError && error.code === 'optimistic_locking_error') return false
        throw error
      }
    },
  }
}

function added(sum: Delivered, { done, failed, more }: WorkedThrough): Delivered {
  return { delivered: sum.delivered + done, failed: sum.failed + failed, more: sum.more || more }
}
