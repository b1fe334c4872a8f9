import type { StoredRecord } from '@halyard/core/storage'
import { assert } from './assert.ts'
import { append, commit, refuse, sample } from './changes.ts'
import type { StorageCases } from './conformance-case.ts'
import { recordsOf, series } from './dumped-records.ts'

/** Dumps of tasks, which come after all other records and without their leases. */
export const taskDumpCases: StorageCases = {
  group: 'dump of tasks',
  cases: {
    'a dump contains tasks last, in order and without leases, and such tasks can be loaded': async ({
      account,
      accountNamed,
    }) => {
      const task = (id: string, at: number) => ({ id, lane: 'l', at, due: at + 5, body: { id } })
      const queue = (scope: string) => ({ name: 'deliveries', scope })
      await commit(account, append(series, [sample('s', 1)]))
      await commit(
        account,
        { do: 'enqueue', queue: queue('webhook/b'), tasks: [task('t', 3)] },
        { do: 'enqueue', queue: queue('webhook/a'), tasks: [task('y', 2), task('x', 2), task('z', 1)] },
      )
      assert.equal((await account.take({ name: 'deliveries', now: 100, until: 900, limit: 1 })).length, 1)
      const expected = [
        { kind: 'sample', series, sample: sample('s', 1) },
        ...[task('z', 1), task('x', 2), task('y', 2)].map((item) => ({
          kind: 'task',
          queue: queue('webhook/a'),
          task: item,
        })),
        { kind: 'task', queue: queue('webhook/b'), task: task('t', 3) },
      ]
      const copy = accountNamed('copy')
      for await (const records of account.dump()) await commit(copy, { do: 'load', records })
      for (const item of [account, copy]) assert.deepEqual(await recordsOf(item), expected)
      const [taken] = await copy.take({ name: 'deliveries', now: 100, until: 900, limit: 1 })
      assert.deepEqual(taken, { ...task('z', 1), scope: 'webhook/a', takes: 1 })
      const again: StoredRecord = { kind: 'task', queue: queue('webhook/b'), task: task('t', 9) }
      await refuse(copy, 'exists', 0, { do: 'load', records: [again] })
    },
  },
}
