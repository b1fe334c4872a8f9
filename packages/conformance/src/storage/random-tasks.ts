import type { Change, QueueId, TakenTask, Task } from '@halyard/core/storage'
import { assert } from './assert.ts'
import { clear, enqueue, finish, postpone, task } from './changes.ts'
import type { StorageCases } from './conformance-case.ts'
import { createReferenceTasks } from './reference-tasks.ts'
import { createSeededRandom, type SeededRandom } from './seeded-random.ts'

const names = ['deliveries', 'schedules'] as const
const scopes = ['p', 'p:e', 'q'] as const
const orderingKeys = ['', 'a', 'b'] as const
const ids = ['', 'a', 'B', 'b', 'c', '\ufffd', '\u{1f600}'] as const

export const randomTaskCases: StorageCases = {
  group: 'random tasks',
  cases: {
    'random histories of two hundred steps equal the results of the reference implementation': async ({
      accountNamed,
    }) => {
      for (const seed of [20_261_120, 7, 4_711]) {
        const account = accountNamed(`seed ${seed}`)
        const random = createSeededRandom(seed)
        const reference = createReferenceTasks()
        const takenTasks: TakenTask[] = []
        for (let now = 0, step = 0; step < 200; step++) {
          now += random.below(4)
          const stepLabel = `seed ${seed}, step ${step}`
          if (random.below(2) === 0) {
            const name = random.oneOf(names)
            const query = { name, now, until: now + 1 + random.below(8), limit: random.below(4) }
            const expected = reference.take(query)
            assert.deepEqual(await account.take(query), expected, `${stepLabel}: ${JSON.stringify(query)}`)
            takenTasks.push(...expected)
          } else {
            const batch = randomBatch(random, now, takenTasks)
            const actual = await account.commit(batch)
            assert.deepEqual(actual, reference.commit(batch), `${stepLabel}: ${JSON.stringify(batch)}`)
          }
          const queue: QueueId = { name: random.oneOf(names), scope: random.oneOf(scopes) }
          assert.deepEqual(
            await account.listTasks(queue, { limit: 50 }),
            reference.list(queue.name, queue.scope),
            stepLabel,
          )
        }
      }
    },
  },
}

function randomBatch(random: SeededRandom, now: number, takenTasks: readonly TakenTask[]): Change[] {
  return Array.from({ length: 1 + random.below(3) }, () => randomChange(random, now, takenTasks))
}

function randomChange(random: SeededRandom, now: number, takenTasks: readonly TakenTask[]): Change {
  const queue: QueueId = { name: random.oneOf(names), scope: random.oneOf(scopes) }
  const kind = random.below(12)
  if (kind === 0) return clear(random.oneOf(scopes))
  if (kind < 6)
    return enqueue(
      queue,
      Array.from({ length: random.below(5) }, () => randomTask(random, now)),
    )
  // In three of four cases, the task is one of those that were taken most recently, with its take count at that time.
  const recent = takenTasks.slice(-6)
  const recentTask = recent.length > 0 && random.below(4) > 0 ? random.oneOf(recent) : undefined
  const taskQueue = { name: queue.name, scope: recentTask?.scope ?? queue.scope }
  const takes = recentTask?.takes ?? 1
  const id = recentTask?.id ?? random.oneOf(ids)
  if (kind < 9) return finish(taskQueue, id, takes)
  if (kind === 9) return finish(taskQueue, id)
  return postpone({ queue: taskQueue, task: id, takes }, now + random.below(12) - 2, { now })
}

function randomTask(random: SeededRandom, now: number): Task {
  const at = now - 5 + random.below(10)
  const due = at + random.below(6)
  return task(random.oneOf(ids), at, { lane: random.oneOf(orderingKeys), due, body: random.below(100) })
}
