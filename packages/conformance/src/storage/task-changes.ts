import { assert } from './assert.ts'
import {
  addKeys,
  append,
  clear,
  commit,
  documentId,
  enqueue,
  expect,
  finish,
  insert,
  mutateDeeply,
  postpone,
  refuse,
  sample,
  task,
} from './changes.ts'
import type { StorageCases } from './conformance-case.ts'
import { idsTaken, otherQueue, queue, take, times } from './task-queue.ts'
import { unusualNames } from './unusual-names.ts'

/** The effects of batches on tasks, and the lists of tasks. */
export const taskChangeCases: StorageCases = {
  group: 'tasks',
  cases: {
    'a refused batch does not change tasks': async ({ account }) => {
      await commit(account, enqueue(queue, [task('a', 1), task('b', 2)]), insert(documentId('there')))
      await take(account, 1)
      const refusedChange = insert(documentId('there'))
      await refuse(account, 'exists', 1, enqueue(queue, [task('c', 3)]), refusedChange)
      await refuse(account, 'exists', 1, finish(queue, 'a', 1), refusedChange)
      await refuse(account, 'exists', 2, finish(queue, 'a'), postpone({ queue, task: 'b', takes: 0 }, 9), refusedChange)
      await refuse(account, 'conflict', 2, finish(queue, 'a'), finish(otherQueue, 'x'), finish(queue, 'b', 7))
      assert.deepEqual(await account.listTasks(queue, { limit: 10 }), [task('a', 1), task('b', 2)])
      assert.deepEqual(await idsTaken(account, 10), [])
    },

    'changes of one task in one batch are applied in order': async ({ account }) => {
      await commit(account, enqueue(queue, [task('a', 1)]))
      assert.deepEqual(await commit(account, finish(queue, 'a'), enqueue(queue, [task('a', 2)])), [1, 1])
      assert.deepEqual(await commit(account, enqueue(queue, [task('a', 3)]), finish(queue, 'a', 0)), [0, 1])
      await refuse(account, 'missing', 2, enqueue(queue, [task('b', 1)]), finish(queue, 'b', 0), finish(queue, 'b', 0))
      await refuse(account, 'missing', 2, enqueue(queue, [task('b', 1)]), clear('webhook/w'), finish(queue, 'b', 0))
      assert.deepEqual(await account.listTasks(queue, { limit: 10 }), [])
    },

    'documents, samples and tasks of many scopes are committed together, with one count for each change': async ({
      account,
    }) => {
      const series = { name: 'log', scope: '' }
      const scopes = times(100, (i) => ({ name: 'deliveries', scope: `webhook/${i}` }))
      await commit(account, insert(documentId('a')), enqueue(queue, [task('due', 1)]))
      await take(account, 1)
      const batch = () => [
        expect(documentId('a'), 1),
        insert(documentId('b')),
        append(series, [sample('s', 1)]),
        ...scopes.map((item) => enqueue(item, [task('e', 5)])),
        finish(queue, 'due', 1),
      ]
      assert.deepEqual(await commit(account, ...batch()), [0, 1, 1, ...scopes.map(() => 1), 1])
      await refuse(account, 'exists', 1, ...batch())
      assert.equal((await take(account, 5, { limit: 200 })).length, 100)
    },

    'changes of tasks and of other data can be mixed in one batch': async ({ account }) => {
      const set = { name: 'set', scope: '' }
      const counts = await commit(
        account,
        enqueue(queue, [task('a', 1), task('b', 2)]),
        addKeys(set, ['m', 'n']),
        finish(queue, 'a'),
        insert(documentId('x')),
        clear('webhook/w'),
        enqueue(queue, [task('a', 3)]),
      )
      assert.deepEqual(counts, [2, 2, 1, 1, 1, 1])
      assert.deepEqual(await account.listTasks(queue, { limit: 10 }), [task('a', 3)])
    },

    'a cleared task is not taken, and its ordering key is not blocked': async ({ account }) => {
      await commit(
        account,
        enqueue(
          queue,
          times(4, (i) => task(`${i}`, i)),
        ),
        enqueue(otherQueue, [task('x', 9)]),
      )
      assert.deepEqual(await idsTaken(account, 5), ['0'])
      assert.deepEqual(await commit(account, clear(queue.scope)), [4])
      assert.deepEqual(await idsTaken(account, 100), ['x'])
      await commit(account, enqueue(queue, [task('2', 20), task('5', 30)]))
      assert.deepEqual(await idsTaken(account, 100), ['2'])
    },

    'listTasks is ordered by time, then id, and continues after its cursor': async ({ account }) => {
      const ordered = [task('z', -1), task('B', 2), task('a', 2, { lane: 'l' }), task('\u{1f600}', 2), task('0', 3)]
      await commit(account, enqueue(queue, [...ordered].reverse()))
      assert.deepEqual(await account.listTasks(queue, { limit: 10 }), ordered)
      assert.deepEqual(await account.listTasks(queue, { limit: 0 }), [])
      const after = async (at: number, id: string) =>
        (await account.listTasks(queue, { limit: 2, after: { at, id } })).map((item) => item.id)
      assert.deepEqual(await after(-1, 'z'), ['B', 'a'])
      assert.deepEqual(await after(2, 'C'), ['a', '\u{1f600}'])
      assert.deepEqual(await after(2, '\u{1f600}'), ['0'])
      assert.deepEqual(await after(3, '0'), [])
    },

    'ids, ordering keys, queue names and scopes preserve every character': async ({ account }) => {
      const unusual = [...unusualNames, '\u0000', '\u0001', 'a\u0000b']
      const ids = unusual.map((name, i) => task(name, 2 * i, { lane: `${i}`, body: { [name]: name } }))
      const tasksByOrderingKey = unusual.map((name, i) => task(`lane ${i}`, 2 * i + 1, { lane: name }))
      assert.deepEqual(await commit(account, enqueue(queue, ids), enqueue(otherQueue, tasksByOrderingKey)), [
        ids.length,
        tasksByOrderingKey.length,
      ])
      assert.deepEqual(await account.listTasks(queue, { limit: 100 }), ids)
      const taken = await take(account, 1000, { limit: 100 })
      const expected = ids.flatMap((item, i) => [
        { ...item, scope: queue.scope, takes: 1 },
        { ...tasksByOrderingKey[i]!, scope: otherQueue.scope, takes: 1 },
      ])
      assert.deepEqual(taken, expected)
      for (const name of unusual) {
        const queueOfName = { name, scope: name.slice(0, 100) }
        assert.deepEqual(await commit(account, enqueue(queueOfName, [task('t', 1)])), [1])
        const [item] = await account.take({ name, now: 1, until: 2, limit: 1 })
        assert.equal(item?.scope, queueOfName.scope)
        assert.deepEqual(await commit(account, finish(queueOfName, 't', 1)), [1])
      }
      assert.deepEqual(
        await commit(account, ...unusual.map((name) => finish(queue, name, 1))),
        unusual.map(() => 1),
      )
    },

    'times preserve every digit': async ({ account }) => {
      const far = task('far', 1_794_355_199_999, { due: Number.MAX_SAFE_INTEGER })
      await commit(account, enqueue(queue, [far, task('past', -5)]))
      assert.deepEqual(await account.listTasks(queue, { limit: 10 }), [task('past', -5), far])
      assert.deepEqual(await idsTaken(account, 0, { until: Number.MAX_SAFE_INTEGER }), ['past'])
      assert.deepEqual(await idsTaken(account, Number.MAX_SAFE_INTEGER - 1), [])
    },

    'changing a written or returned task does not change stored data': async ({ account }) => {
      const makeTask = () => task('a', 1, { body: { list: [1, { n: 2 }] } })
      const written = makeTask()
      await commit(account, enqueue(queue, [written]))
      mutateDeeply(written)
      mutateDeeply(await account.listTasks(queue, { limit: 1 }))
      const taken = await take(account, 1)
      assert.deepEqual(taken, [{ ...makeTask(), scope: queue.scope, takes: 1 }])
      mutateDeeply(taken)
      assert.deepEqual(await account.listTasks(queue, { limit: 1 }), [makeTask()])
    },
  },
}
