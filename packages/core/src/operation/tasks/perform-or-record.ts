import type { TakenTask } from '../../storage/port.ts'
import type { Caller } from '../caller.ts'
import type { WriteContext } from '../context.ts'
import { ApiError } from '../errors.ts'
import type { TaskContext, TaskResult } from './task-worker.ts'

/** How often something is tried before what hinders it counts as lasting. */
const maxTakes = 20

export interface ScheduledWork {
  /** What the change log calls it. */
  readonly id: string
  /** Whose doing it is; undefined where they are not there any more. */
  readonly by: Caller | undefined
  /** Does it, and is done with the task in the same commit: once, however many try. */
  perform(context: WriteContext): Promise<void>
  /** Keeps why it could not be done; is done with the task as well. */
  note(context: WriteContext, reason: string): Promise<void>
}

/**
 * Does what somebody left to be done, with their rights, or keeps why that was refused. What passes (a lost race, storage
 * that does not answer) leaves the task to be taken again.
 */
export async function performOrRecord(
  { write }: TaskContext,
  { takes }: TakenTask,
  { id, by, perform, note }: ScheduledWork,
): Promise<TaskResult> {
  const reason = by ? await refusal() : 'whoever left it to be done is no longer a member'
  if (reason === undefined) return { outcome: 'done' }
  if (reason === lost) return { outcome: 'lost' }
  const noted = await write(`${id}Failed`, (context) => note(context, reason))
  return { outcome: noted ? 'failed' : 'lost' }

  async function refusal(): Promise<string | typeof lost | undefined> {
    try {
      if (await write(id, perform, by)) return undefined
      return takes < maxTakes ? lost : 'others changed the same thing each time that it was tried'
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      return error.errors?.map(({ attribute, reason }) => `${attribute} ${reason}`).join('; ') ?? error.message
    }
  }
}

const lost = Symbol('lost')
