import type { TakenTask } from '../../storage/port.ts'
import type { Caller } from '../caller.ts'
import type { WriteContext } from '../context.ts'
import { ApiError } from '../errors.ts'
import type { TaskContext, TaskResult } from './task-worker.ts'

/** Maximum number of attempts of a task before the cause of the failures counts as permanent. */
const maxAttempts = 20

export interface ScheduledWork {
  /** Name of the work in the change log. */
  readonly id: string
  /** The caller with whose rights the work is done; undefined when the author was deleted. */
  readonly author: Caller | undefined
  /**
   * Does the work and finishes the task in the same commit, so that it is done once, even when several processes
   * attempt it.
   */
  perform(context: WriteContext): Promise<void>
  /** Records the reason of the failure and finishes the task. */
  recordFailure(context: WriteContext, reason: string): Promise<void>
}

/**
 * Does scheduled work with the rights of its author, or records why it was refused. After a temporary failure (a lost
 * race, a storage that does not respond), the task is taken again later.
 */
export async function performOrRecord(
  { write }: TaskContext,
  { takes }: TakenTask,
  { id, author: by, perform, recordFailure: note }: ScheduledWork,
): Promise<TaskResult> {
  const reason = by ? await findObstacle() : 'the author is no longer a member'
  if (reason === undefined) return { outcome: 'done' }
  if (reason === lost) return { outcome: 'lost' }
  const recorded = await write(`${id}Failed`, (context) => note(context, reason))
  return { outcome: recorded ? 'failed' : 'lost' }

  async function findObstacle(): Promise<string | typeof lost | undefined> {
    try {
      if (await write(id, perform, by)) return undefined
      return takes < maxAttempts ? lost : 'every attempt conflicted with other changes of the same resource'
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      return error.errors?.map(({ attribute, reason }) => `${attribute} ${reason}`).join('; ') ?? error.message
    }
  }
}

const lost = Symbol('lost')
