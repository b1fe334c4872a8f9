import type { AccountStorage, QueueId, TakenTask } from '@halyard/core/storage'
import { assert } from './assert.ts'
import { clear, commit, documentId, enqueue, finish, insert, postpone, replace, task } from './changes.ts'
import type { StorageCases } from './conformance-case.ts'

const name = 'deliveries'
const orderingKeys = ['a', 'b', 'c', 'd', 'e'] as const

export const taskRaceCases: StorageCases = {
  group: 'task races',
  cases: {
    'concurrent callers never take the same task, nor two tasks of one ordering key': async ({ account }) => {
      for (let round = 0; round < 30; round++) {
        const queue = { name, scope: `round/${round}` }
        await commit(
          account,
          enqueue(
            queue,
            times(20, (i) => task(`${i}`, i, { lane: orderingKeys[i % 5]! })),
          ),
        )
        const results = await Promise.all(times(6, () => takeOf(account, 100, 2 + (round % 3))))
        const taken = results.flat()
        assert.equal(new Set(taken.map(({ lane }) => lane)).size, taken.length, `round ${round}`)
        assert.isTrue(
          taken.every(({ takes }) => takes === 1),
          `round ${round}`,
        )
        assert.isTrue(taken.length > 0, `round ${round}`)
        await commit(account, clear(queue.scope))
      }
    },

    'concurrent workers run each task of a backlog once and in the order of its key': async ({ account }) => {
      const queues = times(3, (i): QueueId => ({ name, scope: `webhook/${i}` }))
      for (const queue of queues) {
        await commit(
          account,
          enqueue(
            queue,
            times(40, (i) => task(`${i}`, i, { lane: orderingKeys[i % 2]! })),
          ),
        )
      }
      const finished: string[] = []
      const inProgress = new Set<string>()
      const work = async () => {
        while (finished.length < 240) {
          const taken = await takeOf(account, 1_000, 2)
          for (const { scope, lane } of taken) {
            assert.isFalse(inProgress.has(`${scope} ${lane}`), `two tasks of ${scope} ${lane} are in progress`)
            inProgress.add(`${scope} ${lane}`)
          }
          // Tasks that are added while others are being taken must be taken, too.
          for (const { scope, id, lane, at, takes } of taken) {
            const followUps = at < 40 ? [enqueue({ name, scope }, [task(`${id}-again`, at + 40, { lane })])] : []
            inProgress.delete(`${scope} ${lane}`)
            // Called before the commit, because another worker may receive the response to its `take` first, after it
            // has run the next task.
            finished.push(`${scope} ${lane} ${at}`)
            await commit(account, finish({ name, scope }, id, takes), ...followUps)
          }
        }
      }
      await Promise.all(times(5, work))
      assert.equal(new Set(finished).size, 240)
      assert.deepEqual(await takeOf(account, 1_000, 10), [])
      for (const { scope } of queues) {
        for (const orderingKey of orderingKeys.slice(0, 2)) {
          const prefix = `${scope} ${orderingKey} `
          const order = finished
            .filter((item) => item.startsWith(prefix))
            .map((item) => Number(item.slice(prefix.length)))
          assert.deepEqual(
            order,
            [...order].sort((a, b) => a - b),
          )
        }
      }
    },

    'a task that is added while its predecessor is being finished can be taken afterwards': async ({ account }) => {
      const queue = { name, scope: 'webhook/w' }
      await commit(account, enqueue(queue, [task('0', 0)]))
      let [first] = await takeOf(account, 1_000, 1)
      for (let i = 1; i <= 60; i++) {
        const item: TakenTask = first ?? assert.fail(`task ${i - 1} was never taken`)
        await Promise.all([
          commit(account, enqueue(queue, [task(`${i}`, i)])),
          takeOf(account, 1_000, 5),
          commit(account, finish(queue, item.id, item.takes)),
          takeOf(account, 1_000, 5),
        ])
        // One of the two callers may already have taken the task. At this later time its lease has ended.
        first = (await takeOf(account, 5_000 * i, 5, 5_000 * i + 1))[0]
      }
    },

    'exactly one of several concurrent commits that finish one task is accepted': async ({ account }) => {
      const queue = { name, scope: '' }
      await commit(account, insert(documentId('n'), 0))
      for (let round = 1; round <= 15; round++) {
        await commit(account, enqueue(queue, [task('t', 1)]))
        await takeOf(account, 1, 1)
        const results = await Promise.all([
          ...times(5, () => account.commit([finish(queue, 't', 1), replace(documentId('n'), round, round)])),
          ...times(3, () => account.commit([finish(queue, 't', 1), insert(documentId(`other ${round}`))])),
        ])
        const committed = results.filter(({ outcome }) => outcome === 'committed')
        assert.equal(committed.length, 1, `round ${round}`)
        if ((await account.get(documentId('n')))?.version === round)
          await commit(account, replace(documentId('n'), round, round))
      }
    },

    'a task whose lease has ended goes to one caller, and the previous caller can no longer postpone it': async ({
      account,
    }) => {
      const queue = { name, scope: '' }
      await commit(account, enqueue(queue, [task('t', 1)]))
      for (let round = 1; round <= 20; round++) {
        const now = round * 10
        const results = await Promise.all(times(4, () => takeOf(account, now, 1, now + 10)))
        assert.deepEqual(
          results.flat().map(({ takes }) => takes),
          [round],
        )
        const outdated = await account.commit([postpone({ queue, task: 't', takes: round - 1 }, 1)])
        assert.equal(outdated.outcome, 'conflict')
      }
    },

    'tasks of different accounts can be taken concurrently': async ({ accountNamed }) => {
      const accounts = times(8, (i) => accountNamed(`n${i}`))
      await Promise.all(accounts.map((item, i) => commit(item, enqueue({ name, scope: '' }, [task(`t${i}`, 1)]))))
      const taken = await Promise.all(accounts.map((item) => takeOf(item, 1, 10)))
      assert.deepEqual(
        taken.map((item) => item.map(({ id }) => id)),
        times(8, (i) => [`t${i}`]),
      )
    },
  },
}

function takeOf(account: AccountStorage, now: number, limit: number, until = 4_000): Promise<TakenTask[]> {
  return account.take({ name, now, until, limit })
}

function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i))
}
