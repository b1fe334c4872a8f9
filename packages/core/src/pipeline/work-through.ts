import type { WorkContext, Worked, Worker } from '../operation/worker.ts'
import type { TakenTask } from '../storage/port.ts'
import type { RunParts } from './run.ts'

/** Tasks under way at once, and those of one address: whatever hangs there leaves room for the others. */
const mostAtOnce = 16
const mostOfOne = 4

/** Tasks that are had at once, under way or not. */
const mostHad = 100

/** How long a task is had at least, ms. */
const shortestLease = 60_000

/** How long the tasks of an address that fails are put off while one of them is tried, ms. */
const putOff = 5_000

export interface WorkedThrough {
  readonly done: number
  readonly failed: number
  readonly more: boolean
}

/**
 * Takes and does the due tasks of one queue until none is left, or `limit` have been begun, or `deadline` is over.
 * Resolves when nothing is under way any more.
 *
 * Where a task fails, those of the same address are put off but for one at a time, so that a receiver that hangs takes
 * one place of all and not each of them.
 *
 * @param struggling addresses where the last task failed, and until when nothing is to be begun there.
 */
export async function workThrough(
  { storage, options: { host } }: RunParts,
  worker: Worker,
  context: WorkContext,
  struggling: Map<string, number>,
  { limit, deadline }: { readonly limit: number; readonly deadline: number },
): Promise<WorkedThrough> {
  const lease = Math.max(shortestLease, worker.mostMs * 4)
  const counted = { done: 0, failed: 0, dropped: 0, lost: 0 }
  const underWay = new Map<string, number>()
  const running = new Set<Promise<void>>()
  let had: Had[] = []
  let begun = 0
  const isOver = () => begun >= limit || host.now() >= deadline

  try {
    for (;;) {
      await beginWhatMay()
      if (isOver()) break
      const room = Math.min(mostHad, limit - begun) - had.length
      const wanted = running.size < mostAtOnce ? room : 0
      const taken = wanted > 0 ? await take(wanted) : []
      had.push(...taken)
      if (taken.length > 0) continue
      if (running.size === 0 && had.length === 0) return { ...counted, more: false }
      // Whatever ends makes room, or frees the next task of its lane.
      await Promise.race(running)
    }
  } finally {
    await Promise.all([...had.map(({ task }) => giveBack(task, task.due)), ...running])
  }
  return { ...counted, more: true }

  async function take(wanted: number): Promise<Had[]> {
    const now = host.now()
    const tasks = await storage.take({ name: worker.queue, now, until: now + lease, limit: wanted })
    return tasks.map((task) => ({ task, until: now + lease }))
  }

  async function beginWhatMay(): Promise<void> {
    const kept: Had[] = []
    for (const one of had) {
      const { task, until } = one
      const now = host.now()
      const others = underWay.get(task.scope) ?? 0
      const notBefore = struggling.get(task.scope)
      if (isOver()) kept.push(one)
      // Somebody else may have it soon.
      else if (until - now < worker.mostMs * 2) await giveBack(task, task.due)
      else if (notBefore !== undefined && notBefore > now) await giveBack(task, notBefore)
      else if (notBefore !== undefined && others > 0) await giveBack(task, now + putOff)
      else if (others >= mostOfOne || running.size >= mostAtOnce) kept.push(one)
      else begin(task)
    }
    had = kept
  }

  function begin(task: TakenTask): void {
    begun++
    underWay.set(task.scope, (underWay.get(task.scope) ?? 0) + 1)
    const under = done(task).then(() => {
      underWay.set(task.scope, (underWay.get(task.scope) ?? 1) - 1)
      running.delete(under)
    })
    running.add(under)
  }

  async function done(task: TakenTask): Promise<void> {
    const { outcome, notBefore } = await worked(task)
    counted[outcome]++
    if (outcome === 'failed') struggling.set(task.scope, notBefore ?? 0)
    else if (outcome === 'done' || outcome === 'dropped') struggling.delete(task.scope)
  }

  /** What rejects is had until the lease ends, and then taken again. */
  async function worked(task: TakenTask): Promise<Worked> {
    try {
      return await worker.work(task, context)
    } catch (error) {
      host.log({ level: 'error', event: 'task-left-behind', message: worker.queue, error })
      return { outcome: 'lost' }
    }
  }

  /** Where somebody has it already, there is nothing to give back. */
  async function giveBack({ id, scope, takes, body }: TakenTask, due: number): Promise<void> {
    await storage.commit([{ do: 'postpone', queue: { name: worker.queue, scope }, task: id, takes, due, body }])
  }
}

interface Had {
  readonly task: TakenTask
  /** When the lease ends, ms. */
  readonly until: number
}
