import type { AccountStorage, Change, DocumentId } from '@halyard/core/storage'
import { at, insert, sample } from './postgres-records.ts'

/**
 * Calls every method of a storage and commits every kind of change, with values that a test can recognize in the text
 * of a statement.
 */
export async function callEveryMethod(account: AccountStorage, scope = 'zz-scope'): Promise<void> {
  const args = callArguments(scope)
  await writeRecords(account, args)
  await readRecords(account, args)
  await workOnTasks(account, args)
  await writeTogether(account, args)
  await removeRecords(account, args)
}

/** Returns the arguments of the calls. */
function callArguments(scope: string) {
  return {
    scope,
    first: at('zz-1', scope),
    second: at('zz-2', scope),
    ownSet: { name: 'zz-set', scope },
    ownSeries: { name: 'zz-series', scope },
    queue: { name: 'zz-queue', scope },
  }
}

type CallArguments = ReturnType<typeof callArguments>

const task = (id: string, at: number) => ({ id, lane: 'zz-lane', at, due: 4711, body: 'zz' })

async function writeRecords(
  account: AccountStorage,
  { scope, first, second, ownSet, ownSeries }: CallArguments,
): Promise<void> {
  await account.commit([insert('zz-1', scope), insert('zz-2', scope)])
  await account.commit([
    { do: 'replace', id: first, version: 1, body: 'zz', fields: { 'zz-field': 4711 } },
    { do: 'expect', id: second, version: 1 },
    { do: 'add-keys', set: ownSet, keys: ['zz-a', 'zz-b'] },
    { do: 'remove-keys', set: ownSet, keys: ['zz-a'] },
    { do: 'append', series: ownSeries, samples: [{ ...sample, id: 'zz-s', at: 4711, label: 'zz-l' }] },
  ])
  await account.commit([{ do: 'insert', id: second, body: 'taken', fields: {} }])
}

async function readRecords(
  account: AccountStorage,
  { scope, first, second, ownSet, ownSeries }: CallArguments,
): Promise<void> {
  await account.get(first)
  await account.getMany([first, second])
  for (const deep of [false, true]) {
    await account.list({
      collection: 'flags',
      scope,
      deep,
      limit: 4711,
      count: true,
      select: 'bodies',
      order: [
        { field: 'zz-field', type: 'number' },
        { field: 'zz-name', type: 'text', descending: true },
      ],
      where: [
        { op: 'not', condition: { op: 'equals', field: 'zz-name', value: 'zz' } },
        {
          op: 'or',
          any: [
            { op: 'anyOf', field: 'key', values: ['zz-1'] },
            { op: 'exists', field: 'zz-name', value: true },
          ],
        },
        { op: 'not', condition: { op: 'contains', in: ['zz-name'], text: 'zz%' } },
        { op: 'not', condition: { op: 'range', field: 'zz-name', from: 4711, to: 4711.5 } },
      ],
    })
  }
  await account.hasKey(ownSet, 'zz-b')
  await account.countKeys(ownSet)
  await account.pageKeys(ownSet, { limit: 4711 })
  await account.pageKeys(ownSet, { after: 'zz-a', limit: 4711 })
  await account.scan({ series: ownSeries, from: 4711, to: 4712, columns: 3, labels: ['zz-l'] })
  await account.newest({ series: ownSeries, limit: 4711, before: { at: 4712, id: 'zz-s' }, labels: ['zz-l'] })
}

async function workOnTasks(account: AccountStorage, { scope, queue }: CallArguments): Promise<void> {
  await account.commit([insert('zz-3', scope), { do: 'enqueue', queue, tasks: [task('zz-1', 1), task('zz-2', 2)] }])
  await account.take({ name: 'zz-queue', now: 4711, until: 4712, limit: 1 })
  await account.listTasks(queue, { limit: 4711, after: { at: 0, id: 'zz' } })
  await account.commit([{ do: 'postpone', queue, task: 'zz-1', takes: 1, due: 4711, body: 'zz' }])
  await account.commit([{ do: 'finish', queue, task: 'zz-1', takes: 4711 }])
  await account.commit([{ do: 'finish', queue, task: 'zz-1', takes: 1 }])
}

async function writeTogether(
  account: AccountStorage,
  { scope, first, ownSeries, queue }: CallArguments,
): Promise<void> {
  // The commits after the second one are written as a group.
  const groupedKeys = ['zz-4', 'zz-5', 'zz-6', 'zz-7', 'zz-8']
  const commitAll = (batch: (key: string, index: number) => readonly Change[]) =>
    Promise.all(groupedKeys.map((key, index) => account.commit(batch(key, index))))
  await commitAll((key, index) => [
    { do: 'expect', id: first, version: 2 },
    insert(key, scope),
    { do: 'ensure', id: at(`${key}-ensured`, scope), body: 'zz', fields: {} },
    { do: 'append', series: ownSeries, samples: [{ ...sample, id: key, label: 'zz-l', terms: ['zz-term'] }] },
    { do: 'enqueue', queue, tasks: [{ ...task(key, index), lane: key }] },
  ])
  await account.take({ name: 'zz-queue', now: 4711, until: 4712, limit: 10 })
  await commitAll((key, index) => [
    index === 2 ? { do: 'remove', id: at(key, scope), version: 1 } : replaceChange(at(key, scope)),
    { do: 'discard', id: at(`${key}-ensured`, scope) },
    index === 2
      ? { do: 'finish', queue, task: key, takes: 1 }
      : { do: 'postpone', queue, task: key, takes: 1, due: 4711, body: 'zz' },
  ])
  await account.commit(groupedKeys.map((key) => ({ do: 'clear', scope: `${scope}:${key}` })))
}

async function removeRecords(account: AccountStorage, { scope, second, ownSeries }: CallArguments): Promise<void> {
  await account.commit([{ do: 'trim', series: ownSeries, before: 4711 }])
  await account.commit([
    { do: 'remove', id: second, version: 1 },
    { do: 'clear', scope },
  ])
}

function replaceChange(id: DocumentId): Change {
  return { do: 'replace', id, version: 1, body: 'zz', fields: { 'zz-field': 4711 } }
}
