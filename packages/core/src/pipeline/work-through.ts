import type { WorkContext, Worked, Worker } from '../operation/worker.ts'
import type { Change, TakenTask } from '../storage/port.ts'
import type { RunParts } from './run-parts.ts'

/** Tasks under way at once, and those of one address: whatever hangs there leaves room for the others. */
const mostAtOnce = 16
const mostOfOne = 4

/** Tasks that are had at once, under way or not. */
const mostHad = 100

/** How long a task is had at least, ms. */
const shortestLease = 60_000

/** How long the tasks of an address that fails are put off while one of them is tried, ms. */
const putOff = 5_000

/** What is known of the addresses of one queue. */
export interface WorkState {
  /** Where the last task failed, and until when nothing is to be begun there: integer ms. */
  readonly struggling: Map<string, number>
  /** How many tasks are under way. */
  readonly underWay: Map<string, number>
}

export interface WorkLimits {
  readonly limit: number
  /** Integer ms, UTC. */
  readonly deadline: number
  readonly signal: AbortSignal | undefined
}

export interface WorkedThrough {
  /** Tasks, whatever became of them. */
  readonly begun: number
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
 * @param state what all calls of one engine know together.
 */
export async function workThrough(
  { storage, options: { host } }: RunParts,
  worker: Worker,
  context: WorkContext,
  { struggling, underWay }: WorkState,
  { limit, deadline, signal }: WorkLimits,
): Promise<WorkedThrough> {
  const lease = Math.max(shortestLease, worker.mostMs * 4)
  const counted = { done: 0, failed: 0, dropped: 0, lost: 0 }
  const running = new Set<Promise<void>>()
  let had: Had[] = []
  let begun = 0
  const isOver = () => begun >= limit || host.now() >= deadline || signal?.aborted === true

  try {
    for (;;) {
      await beginWhatMay()
      if (isOver()) break
      const room = Math.min(mostHad, limit - begun) - had.length
      const wanted = running.size < mostAtOnce ? room : 0
      const taken = wanted > 0 ? await take(wanted) : []
      had.push(...taken)
      if (taken.length > 0) continue
      if (running.size === 0 && had.length === 0) return { ...counted, begun, more: false }
      // Another call is busy with all that this one has, and ends or begins it itself.
      if (running.size === 0) break
      // Whatever ends makes room, or frees the next task of its lane.
      await Promise.race(running)
    }
  } finally {
    await Promise.all([giveBack(had.map(({ task }) => ({ task, due: task.due }))), ...running])
  }
  return { ...counted, begun, more: true }

  async function take(wanted: number): Promise<Had[]> {
    const now = host.now()
    const tasks = await storage.take({ name: worker.queue, now, until: now + lease, limit: wanted })
    return tasks.map((task) => ({ task, until: now + lease }))
  }

  /** Begins what may be begun; of the rest, what another call or a later time is for is given back. */
  async function beginWhatMay(): Promise<void> {
    const kept: Had[] = []
    const back: GivenBack[] = []
    for (const one of had) {
      const due = isOver() ? undefined : putOffUntil(one)
      if (due !== undefined) back.push({ task: one.task, due })
      else if (isOver() || (underWay.get(one.task.scope) ?? 0) >= mostOfOne || running.size >= mostAtOnce)
        kept.push(one)
      else begin(one.task)
    }
    had = kept
    await giveBack(back)
  }

  /** When a task is to be taken again, where it is not to be begun now. */
  function putOffUntil({ task, until }: Had): number | undefined {
    const now = host.now()
    // Somebody else may have it soon.
    if (until - now < worker.mostMs * 2) return task.due
    const notBefore = struggling.get(task.scope)
    if (notBefore === undefined) return undefined
    if (notBefore > now) return notBefore
    return underWay.has(task.scope) ? now + putOff : undefined
  }

  function begin(task: TakenTask): void {
    begun++
    underWay.set(task.scope, (underWay.get(task.scope) ?? 0) + 1)
    const under = done(task).then(() => {
      const left = (underWay.get(task.scope) ?? 1) - 1
      if (left === 0) underWay.delete(task.scope)
      else underWay.set(task.scope, left)
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

  /** All in one batch; where one of them is somebody else's by now, one by one. */
  async function giveBack(back: readonly GivenBack[]): Promise<void> {
    const changes = back.map(
      ({ task: { id, scope, takes, body }, due }): Change => ({
        do: 'postpone',
        queue: { name: worker.queue, scope },
        task: id,
        takes,
        due,
        body,
      }),
    )
    if (changes.length === 0) return
    const { outcome } = await storage.commit(changes)
    if (outcome === 'committed') return
    for (const change of changes) await storage.commit([change])
  }
}

interface GivenBack {
  readonly task: TakenTask
  /** Integer ms, UTC. */
  readonly due: number
}

interface Had {
  readonly task: TakenTask
  /** When the lease ends, ms. */
  readonly until: number
}
