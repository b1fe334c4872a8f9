import type { Change, QueueId, TakenTask, Task } from '@halyard/core/storage'
import { assert } from './assert.ts'
import { type Chance, createChance } from './chance.ts'
import { clear, enqueue, finish, postpone, task } from './changes.ts'
import type { StorageCases } from './conformance-case.ts'
import { plainTasks } from './plain-tasks.ts'

const names = ['deliveries', 'schedules'] as const
const scopes = ['p', 'p:e', 'q'] as const
const lanes = ['', 'a', 'b'] as const
const ids = ['', 'a', 'B', 'b', 'c', '\ufffd', '\u{1f600}'] as const

export const randomTaskCases: StorageCases = {
  group: 'random tasks',
  cases: {
    'random histories of five hundred steps equal the results of the reference implementation': async ({ accountNamed }) => {
      for (const seed of [20_261_120, 7, 4_711]) {
        const account = accountNamed(`seed ${seed}`)
        const chance = createChance(seed)
        const plain = plainTasks()
        const taken: TakenTask[] = []
        for (let now = 0, step = 0; step < 500; step++) {
          now += chance.below(4)
          const about = `seed ${seed}, step ${step}`
          if (chance.below(2) === 0) {
            const name = chance.oneOf(names)
            const query = { name, now, until: now + 1 + chance.below(8), limit: chance.below(4) }
            const expected = plain.take(query)
            assert.deepEqual(await account.take(query), expected, `${about}: ${JSON.stringify(query)}`)
            taken.push(...expected)
          } else {
            const batch = randomBatch(chance, now, taken)
            const got = await account.commit(batch)
            assert.deepEqual(got, plain.commit(batch), `${about}: ${JSON.stringify(batch)}`)
          }
          const queue: QueueId = { name: chance.oneOf(names), scope: chance.oneOf(scopes) }
          assert.deepEqual(await account.listTasks(queue, { limit: 50 }), plain.list(queue.name, queue.scope), about)
        }
      }
    },
  },
}

function randomBatch(chance: Chance, now: number, taken: readonly TakenTask[]): Change[] {
  return Array.from({ length: 1 + chance.below(3) }, () => randomChange(chance, now, taken))
}

function randomChange(chance: Chance, now: number, taken: readonly TakenTask[]): Change {
  const queue: QueueId = { name: chance.oneOf(names), scope: chance.oneOf(scopes) }
  const kind = chance.below(12)
  if (kind === 0) return clear(chance.oneOf(scopes))
  if (kind < 6)
    return enqueue(
      queue,
      Array.from({ length: chance.below(5) }, () => randomTask(chance, now)),
    )
  // Usually one of the tasks that were taken last, with the take count of that time.
  const recent = taken.slice(-6)
  const one = recent.length > 0 && chance.below(4) > 0 ? chance.oneOf(recent) : undefined
  const meant = { name: queue.name, scope: one?.scope ?? queue.scope }
  const takes = one?.takes ?? 1
  const id = one?.id ?? chance.oneOf(ids)
  if (kind < 9) return finish(meant, id, takes)
  if (kind === 9) return finish(meant, id)
  return postpone(meant, id, takes, now + chance.below(12) - 2, { now })
}

function randomTask(chance: Chance, now: number): Task {
  const at = now - 5 + chance.below(10)
  const due = at + chance.below(6)
  return task(chance.oneOf(ids), at, { lane: chance.oneOf(lanes), due, body: chance.below(100) })
}
