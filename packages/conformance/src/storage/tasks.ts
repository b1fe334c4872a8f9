import { assert } from './assert.ts'
import { clear, commit, documentId, enqueue, finish, insert, postpone, refuse, replace, task } from './changes.ts'
import type { StorageCases } from './conformance-case.ts'
import { idsTaken, otherQueue, queue, take, times } from './task-queue.ts'

export const taskCases: StorageCases = {
  group: 'tasks',
  cases: {
    'a queue that was never written is empty': async ({ account }) => {
      assert.deepEqual(await idsTaken(account, 100), [])
      assert.deepEqual(await account.listTasks(queue, { limit: 10 }), [])
    },

    'a taken task equals the added one, with its scope and the number of takes': async ({ account }) => {
      const item = task('a', 5, { lane: 'l', due: 7, body: { list: [1, 'x', null] } })
      assert.deepEqual(await commit(account, enqueue(queue, [item])), [1])
      assert.deepEqual(await take(account, 7, { until: 60 }), [{ ...item, scope: queue.scope, takes: 1 }])
      assert.deepEqual(await account.listTasks(queue, { limit: 10 }), [item])
    },

    'of several tasks with one id, only the first is added': async ({ account }) => {
      const duplicate = task('a', 9, { lane: 'z', body: 'again' })
      assert.deepEqual(await commit(account, enqueue(queue, [task('a', 1), duplicate, task('b', 2)])), [2])
      assert.deepEqual(
        await commit(account, enqueue(queue, [duplicate]), enqueue(queue, [duplicate, task('c', 3)])),
        [0, 1],
      )
      assert.deepEqual(await commit(account, enqueue(queue, [])), [0])
      assert.deepEqual(await account.listTasks(queue, { limit: 10 }), [task('a', 1), task('b', 2), task('c', 3)])
    },

    'a task is not added while its id belongs to a taken task, and is added once that task is finished': async ({
      account,
    }) => {
      await commit(account, enqueue(queue, [task('a', 1)]))
      await take(account, 1)
      assert.deepEqual(await commit(account, enqueue(queue, [task('a', 2)])), [0])
      await commit(account, finish(queue, 'a', 1))
      assert.deepEqual(await commit(account, enqueue(queue, [task('a', 2)])), [1])
      assert.deepEqual(
        (await take(account, 2)).map(({ takes }) => takes),
        [1],
      )
    },

    'one id can be used in several scopes and queues': async ({ account }) => {
      const all = [queue, otherQueue, { ...queue, name: 'other' }, { ...queue, scope: '' }]
      const counts = await commit(account, ...all.map((item, i) => enqueue(item, [task('same', i)])))
      assert.deepEqual(counts, [1, 1, 1, 1])
      for (const [i, item] of all.entries()) {
        assert.deepEqual(await account.listTasks(item, { limit: 10 }), [task('same', i)])
      }
      const taken = await take(account, 100)
      assert.deepEqual(
        taken.map(({ scope, at }) => [scope, at]),
        [
          [queue.scope, 0],
          [otherQueue.scope, 1],
          ['', 3],
        ],
      )
    },

    'a task is not taken before it is due': async ({ account }) => {
      await commit(account, enqueue(queue, [task('a', 1, { due: 50 })]))
      assert.deepEqual(await idsTaken(account, 49), [])
      assert.deepEqual(await idsTaken(account, 50), ['a'])
    },

    'the tasks that have been due longest are taken first, up to the limit': async ({ account }) => {
      const dues = [30, 10, 50, 20, 40]
      await commit(
        account,
        enqueue(
          queue,
          dues.map((due) => task(`${due}`, 1, { lane: `${due}`, due })),
        ),
      )
      assert.deepEqual(await idsTaken(account, 100, { limit: 0 }), [])
      assert.deepEqual(await idsTaken(account, 100, { limit: 2 }), ['10', '20'])
      assert.deepEqual(await idsTaken(account, 45, { limit: 2 }), ['30', '40'])
      assert.deepEqual(await idsTaken(account, 100, { limit: 2 }), ['50'])
    },

    'tasks of one ordering key are taken one at a time, by time, then id in code-point order': async ({ account }) => {
      const ordered = [task('z', 1), task('B', 2), task('a', 2), task('\ufffd', 2), task('\u{1f600}', 2), task('0', 3)]
      await commit(account, enqueue(queue, [...ordered].reverse()))
      for (const { id } of ordered) {
        assert.deepEqual(await idsTaken(account, 100), [id])
        assert.deepEqual(await idsTaken(account, 100), [])
        await commit(account, finish(queue, id, 1))
      }
      assert.deepEqual(await idsTaken(account, 100), [])
    },

    'tasks wait for the first task of their ordering key, due or not, and tasks of other keys do not wait': async ({
      account,
    }) => {
      await commit(account, enqueue(queue, [task('a', 1, { due: 90 }), task('b', 2), task('c', 3, { lane: 'other' })]))
      await commit(account, enqueue(otherQueue, [task('d', 4)]))
      assert.deepEqual(await idsTaken(account, 50), ['c', 'd'])
      assert.deepEqual(await idsTaken(account, 90), ['a'])
      await commit(account, finish(queue, 'a', 1))
      assert.deepEqual(await idsTaken(account, 50), ['b'])
    },

    'a task that is added with an earlier time becomes the first of its ordering key': async ({ account }) => {
      await commit(account, enqueue(queue, [task('b', 20)]))
      await commit(account, enqueue(queue, [task('a', 10, { due: 70 })]))
      assert.deepEqual(await idsTaken(account, 50), [])
      assert.deepEqual(await idsTaken(account, 70), ['a'])
      await commit(account, finish(queue, 'a'))
      assert.deepEqual(await idsTaken(account, 50), ['b'])
    },

    'finishing a task in the middle of an ordering key does not block the tasks after it': async ({ account }) => {
      await commit(
        account,
        enqueue(
          queue,
          times(5, (i) => task(`${i}`, i)),
        ),
      )
      assert.deepEqual(await idsTaken(account, 100), ['0'])
      assert.deepEqual(await idsTaken(account, 100), [])
      await commit(account, finish(queue, '2'), finish(queue, '1'))
      assert.deepEqual(await idsTaken(account, 100), [])
      await commit(account, finish(queue, '0', 1))
      assert.deepEqual(await idsTaken(account, 100), ['3'])
      await commit(account, finish(queue, '3', 1))
      assert.deepEqual(await idsTaken(account, 100), ['4'])
    },

    'a lease lasts until its end, and the next take increments the number of takes': async ({ account }) => {
      await commit(account, enqueue(queue, [task('a', 1)]))
      await take(account, 10, { until: 40 })
      assert.deepEqual(await idsTaken(account, 39), [])
      assert.deepEqual(
        (await take(account, 40, { until: 50 })).map(({ takes }) => takes),
        [2],
      )
      assert.deepEqual(
        (await take(account, 50, { until: 60 })).map(({ takes }) => takes),
        [3],
      )
    },

    'the task that has been due longest is taken first, also when its lease has ended': async ({ account }) => {
      await commit(account, enqueue(queue, [task('a', 10, { lane: 'a' })]))
      await take(account, 10, { until: 60 })
      await commit(account, enqueue(queue, [task('b', 20, { lane: 'b' })]))
      assert.deepEqual(await idsTaken(account, 60, { limit: 1 }), ['a'])
      assert.deepEqual(await idsTaken(account, 60, { limit: 1 }), ['b'])
    },

    'a caller whose lease has passed to another caller can neither finish nor postpone the task': async ({
      account,
    }) => {
      await commit(account, enqueue(queue, [task('a', 1)]), insert(documentId('log')))
      await refuse(account, 'conflict', 0, finish(queue, 'a', 1))
      await take(account, 10, { until: 20 })
      await take(account, 20, { until: 30 })
      await refuse(account, 'conflict', 1, replace(documentId('log'), 1), finish(queue, 'a', 1))
      await refuse(account, 'conflict', 1, replace(documentId('log'), 1), postpone({ queue, task: 'a', takes: 1 }, 99))
      assert.deepEqual(await commit(account, replace(documentId('log'), 1), finish(queue, 'a', 2)), [1, 1])
      await refuse(account, 'missing', 1, replace(documentId('log'), 2), finish(queue, 'a', 2))
      await refuse(account, 'missing', 1, replace(documentId('log'), 2), postpone({ queue, task: 'a', takes: 2 }, 99))
      assert.equal((await account.get(documentId('log')))?.version, 2)
    },

    'finish without a take count removes a task that another caller has taken, and accepts a missing one': async ({
      account,
    }) => {
      await commit(account, enqueue(queue, [task('a', 1)]))
      await take(account, 10)
      assert.deepEqual(await commit(account, finish(queue, 'a')), [1])
      assert.deepEqual(await commit(account, finish(queue, 'a'), finish(otherQueue, 'none')), [0, 0])
      assert.deepEqual(await account.listTasks(queue, { limit: 10 }), [])
    },

    'a postponed task is taken again with its new body, and its ordering key waits for it': async ({ account }) => {
      await commit(account, enqueue(queue, [task('a', 1, { body: 'first' }), task('b', 2)]))
      await take(account, 10)
      assert.deepEqual(await commit(account, postpone({ queue, task: 'a', takes: 1 }, 50, { tries: 1 })), [1])
      assert.deepEqual(await account.listTasks(queue, { limit: 1 }), [task('a', 1, { due: 50, body: { tries: 1 } })])
      assert.deepEqual(await idsTaken(account, 49), [])
      const [duplicate] = await take(account, 50)
      assert.deepEqual(duplicate, { ...task('a', 1, { due: 50, body: { tries: 1 } }), scope: queue.scope, takes: 2 })
    },

    'a task can be postponed to a past time, and after its lease has ended': async ({ account }) => {
      await commit(account, enqueue(queue, [task('a', 1)]))
      await take(account, 10, { until: 20 })
      await commit(account, postpone({ queue, task: 'a', takes: 1 }, 5))
      assert.deepEqual(
        (await take(account, 10, { until: 20 })).map(({ takes }) => takes),
        [2],
      )
      await commit(account, postpone({ queue, task: 'a', takes: 2 }, 90))
      assert.deepEqual(await idsTaken(account, 89), [])
    },

    'take returns tasks of its own account and queue only': async ({ account, accountNamed }) => {
      const neighbor = accountNamed('neighbour')
      await commit(account, enqueue(queue, [task('a', 1)]), enqueue({ ...queue, name: 'b' }, [task('b', 1)]))
      await commit(neighbor, enqueue(queue, [task('n', 1)]))
      assert.deepEqual(await idsTaken(account, 10), ['a'])
      assert.deepEqual(await idsTaken(neighbor, 10), ['n'])
      await commit(neighbor, clear(''))
      assert.deepEqual(
        (await account.take({ name: 'b', now: 9, until: 99, limit: 9 })).map(({ id }) => id),
        ['b'],
      )
    },

    'thousands of tasks of one ordering key do not delay other keys': async ({ account }) => {
      await commit(
        account,
        enqueue(
          queue,
          times(3_000, (i) => task(`${i}`, i, { due: 1 })),
        ),
      )
      await commit(account, enqueue(otherQueue, [task('behind', 9_999, { due: 2 })]))
      assert.deepEqual(await idsTaken(account, 10, { limit: 2 }), ['0', 'behind'])
      assert.deepEqual(await idsTaken(account, 10), [])
      await commit(account, finish(queue, '0', 1))
      assert.deepEqual(await idsTaken(account, 10), ['1'])
    },
  },
}
