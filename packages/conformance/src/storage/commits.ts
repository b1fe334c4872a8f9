import type { AccountStorage, Change, Condition } from '@halyard/core/storage'
import { assert } from './assert.ts'
import {
  addKeys,
  append,
  clear,
  commit,
  discard,
  discardAll,
  documentId,
  ensure,
  expect,
  insert,
  refuse,
  remove,
  removeKeys,
  replace,
  sample,
} from './changes.ts'
import type { StorageCases } from './conformance-case.ts'

const [a, b, c] = [documentId('a', 'p'), documentId('b', 'p'), documentId('c', 'p')]
const set = { name: 'set', scope: 'p' }
const series = { name: 'series', scope: 'p' }

export const commitCases: StorageCases = {
  group: 'commits',
  cases: {
    'an empty batch is committed and returns no counts': async ({ account }) => {
      assert.deepEqual(await account.commit([]), { outcome: 'committed', counts: [] })
    },

    'the count of each change is the number of documents, keys or samples that it affected': async ({ account }) => {
      const counts = await commit(
        account,
        insert(a),
        replace(a, 1),
        expect(a, 2),
        insert(b),
        remove(b, 1),
        addKeys(set, ['x', 'y']),
        removeKeys(set, ['x']),
        append(series, [sample('1', 1)]),
        clear('p'),
      )
      // The clear removes the document a, the key y and one sample.
      assert.deepEqual(counts, [1, 1, 0, 1, 1, 2, 1, 1, 3])
    },

    'insert is refused with "exists" when a document has the id': async ({ account }) => {
      await commit(account, insert(a, 'first'))
      await refuse(account, 'exists', 0, insert(a, 'second'))
      assert.deepEqual((await account.get(a))?.body, 'first')
    },

    'replace, remove and expect are refused with "missing" when no document has the id': async ({ account }) => {
      for (const change of [replace(a, 1), remove(a, 1), expect(a, 1)]) await refuse(account, 'missing', 0, change)
      assert.isUndefined(await account.get(a))
    },

    'replace, remove and expect are refused with "conflict" when the version differs': async ({ account }) => {
      await commit(account, insert(a), replace(a, 1, 'second'))
      for (const version of [1, 3, 0]) {
        for (const change of [replace(a, version), remove(a, version), expect(a, version)]) {
          await refuse(account, 'conflict', 0, change)
        }
      }
      assert.deepEqual(await account.get(a), { key: 'a', scope: 'p', version: 2, body: 'second' })
    },

    'expect accepts the current version and writes nothing': async ({ account }) => {
      await commit(account, insert(a, 'A'))
      assert.deepEqual(await commit(account, expect(a, 1), insert(b)), [0, 1])
      assert.equal((await account.get(a))?.version, 1)
    },

    'a refusal contains the index of the refused change': async ({ account }) => {
      await commit(account, insert(a), insert(b))
      await refuse(account, 'exists', 2, expect(a, 1), replace(b, 1), insert(a))
      await refuse(
        account,
        'missing',
        3,
        addKeys(set, ['x']),
        insert(c),
        append(series, []),
        replace(documentId('none'), 1),
      )
      await refuse(account, 'conflict', 1, replace(a, 1), remove(b, 2), insert(c))
      await refuse(account, 'conflict', 4, clear('other'), insert(c), expect(b, 1), remove(b, 1), expect(a, 7))
    },

    'a batch with several refused changes is refused for one of them': async ({ account }) => {
      await commit(account, insert(a))
      const result = await account.commit([insert(b), insert(a), replace(c, 1), remove(a, 9)])
      const refusals = { exists: 1, missing: 2, conflict: 3 }
      assert.isTrue(
        result.outcome !== 'committed' && refusals[result.outcome] === result.change,
        JSON.stringify(result),
      )
    },

    'a batch whose last change is refused writes nothing': async ({ account }) => {
      await fill(account)
      const before = await contentOf(account)
      const batch: Change[] = [
        insert(b, 'new'),
        replace(a, 1, 'changed', { name: 'changed' }),
        addKeys(set, ['new']),
        removeKeys(set, ['old']),
        append(series, [sample('new', 2)]),
        insert(documentId('elsewhere', 'q')),
        expect(documentId('none'), 1),
      ]
      await refuse(account, 'missing', batch.length - 1, ...batch)
      assert.deepEqual(await contentOf(account), before)
      assert.isUndefined(await account.get(documentId('elsewhere', 'q')))
    },

    'a batch that is refused after a clear and a removal writes nothing': async ({ account }) => {
      await fill(account)
      const before = await contentOf(account)
      await refuse(account, 'exists', 2, clear('p'), insert(a), insert(a))
      await refuse(account, 'missing', 1, remove(a, 1), replace(a, 1))
      await refuse(account, 'missing', 1, clear(''), expect(a, 1))
      assert.deepEqual(await contentOf(account), before)
    },

    'a batch whose first change is refused writes nothing': async ({ account }) => {
      await fill(account)
      const before = await contentOf(account)
      await refuse(
        account,
        'exists',
        0,
        insert(a),
        addKeys(set, ['new']),
        append(series, [sample('new', 2)]),
        clear('p'),
      )
      assert.deepEqual(await contentOf(account), before)
    },

    'the changes of a refused batch can be committed afterwards': async ({ account }) => {
      await refuse(
        account,
        'missing',
        3,
        insert(a),
        addKeys(set, ['x']),
        append(series, [sample('1', 1)]),
        expect(b, 1),
      )
      const counts = await commit(account, insert(a), addKeys(set, ['x']), append(series, [sample('1', 1)]))
      assert.deepEqual(counts, [1, 1, 1])
    },

    'a change sees the effects of the earlier changes of its batch': async ({ account }) => {
      await commit(account, insert(a, 1), replace(a, 1, 2), expect(a, 2), replace(a, 2, 3))
      assert.deepEqual(await account.get(a), { key: 'a', scope: 'p', version: 3, body: 3 })
      await commit(account, remove(a, 3), insert(a, 'again'), replace(a, 1, 'and again'))
      assert.deepEqual(await account.get(a), { key: 'a', scope: 'p', version: 2, body: 'and again' })
      await commit(account, insert(b), remove(b, 1))
      assert.isUndefined(await account.get(b))
    },

    'a change is refused because of the effects of the earlier changes of its batch': async ({ account }) => {
      await refuse(account, 'exists', 1, insert(a), insert(a))
      await refuse(account, 'conflict', 1, insert(a), replace(a, 2))
      await refuse(account, 'missing', 2, insert(a), remove(a, 1), expect(a, 1))
      await commit(account, insert(a))
      await refuse(account, 'conflict', 1, replace(a, 1), expect(a, 1))
      await refuse(account, 'missing', 1, clear('p'), replace(a, 1))
      assert.equal((await account.get(a))?.version, 1)
    },

    'ensure inserts a missing document and leaves an existing one unchanged': async ({ account }) => {
      await commit(account, insert(a), replace(a, 1, 'kept', { name: 'kept' }))
      assert.deepEqual(
        await commit(account, ensure(a, 'other', { name: 'other' }), ensure(b, 'B', { name: 'B' })),
        [0, 0],
      )
      const { items } = await account.list({ collection: 'things', scope: 'p', limit: 10, select: 'bodies' })
      assert.deepEqual(items, [
        { key: 'a', scope: 'p', version: 2, fields: { name: 'kept' }, body: 'kept' },
        { key: 'b', scope: 'p', version: 1, fields: { name: 'B' }, body: 'B' },
      ])
    },

    'discard removes a document at any version and accepts a missing one': async ({ account }) => {
      await commit(account, insert(a), replace(a, 1), insert(b))
      assert.deepEqual(await commit(account, discard(a), discard(c)), [0, 0])
      assert.deepEqual(await account.getMany([a, c]), [undefined, undefined])
      assert.equal((await account.get(b))?.version, 1)
    },

    'ensure and discard are applied only together with the rest of their batch': async ({ account }) => {
      await commit(account, insert(a, 'A'))
      await refuse(account, 'missing', 2, discard(a), ensure(c), expect(b, 1))
      assert.deepEqual([(await account.get(a))?.body, await account.get(c)], ['A', undefined])
      const counts = await commit(account, ensure(c, 'C'), discard(a), insert(b), append(series, [sample('1', 1)]))
      assert.deepEqual(counts, [0, 0, 1, 1])
      assert.deepEqual([await account.get(a), (await account.get(c))?.body], [undefined, 'C'])
    },

    'ensure and discard see the effects of the earlier changes of their batch': async ({ account }) => {
      await commit(account, insert(a, 1), ensure(a, 2), replace(a, 1, 3), ensure(b), discard(b), insert(b, 'again'))
      assert.deepEqual([(await account.get(a))?.body, (await account.get(b))?.body], [3, 'again'])
      await refuse(account, 'exists', 1, ensure(c), insert(c))
      await refuse(account, 'missing', 1, discard(a), expect(a, 2))
    },

    'concurrent commits that ensure one document all succeed, and one of them writes it': async ({ account }) => {
      const bodies = Array.from({ length: 8 }, (_, i) => i)
      const results = await Promise.all(bodies.map((body) => account.commit([ensure(a, body), ensure(b, body)])))
      assert.deepEqual(new Set(results.map(({ outcome }) => outcome)), new Set(['committed']))
      const [first, second] = await account.getMany([a, b])
      assert.equal(first?.version, 1)
      assert.deepEqual(second?.body, first?.body)
    },

    'discard-all removes the documents that meet its conditions, at and under a scope and at any version': async ({
      account,
    }) => {
      const red = { color: 'red' }
      const nested = documentId('a', 'p:x')
      const untouched = [documentId('a', 'p2'), documentId('a', ''), documentId('a', 'p', 'others')]
      await commit(account, insert(a, null, red), replace(a, 1, null, red), insert(b, null, { color: 'blue' }))
      await commit(account, insert(nested, null, red), ...untouched.map((id) => insert(id, null, red)))
      const isRed = { op: 'equals', field: 'color', value: 'red' } as const
      const isB = { op: 'equals', field: 'key', value: 'b' } as const
      assert.deepEqual(await commit(account, discardAll('things', 'p', isRed, isB)), [0])
      assert.deepEqual(await commit(account, discardAll('things', 'p', isRed)), [2])
      assert.deepEqual(await account.getMany([a, nested]), [undefined, undefined])
      const documents = await account.getMany([b, ...untouched])
      assert.isTrue(documents.every((document) => document !== undefined))
      assert.deepEqual(await commit(account, discardAll('things', '', isB), discardAll('others', 'p')), [1, 1])
    },

    'discard-all tests every kind of condition': async ({ account }) => {
      const of = (n: number) => ({ n, color: n > 1 ? 'red' : 'blue' })
      const all = ['1', '2', '3'].map((key) => documentId(key, 'p'))
      const discarded = async (...where: Condition[]) => {
        await commit(account, ...all.map((id) => ensure(id, null, of(Number(id.key)))))
        await commit(account, discardAll('things', 'p', ...where))
        const remaining = await account.getMany(all)
        return all.filter((_, i) => remaining[i] === undefined).map(({ key }) => key)
      }
      assert.deepEqual(await discarded({ op: 'range', field: 'n', from: 2, to: 3 }), ['2'])
      assert.deepEqual(await discarded({ op: 'not', condition: { op: 'equals', field: 'color', value: 'red' } }), ['1'])
      assert.deepEqual(await discarded({ op: 'contains', in: ['color'], text: 'LU' }), ['1'])
      assert.deepEqual(await discarded({ op: 'equals', field: 'n', value: 3 }), ['3'])
      assert.deepEqual(
        await discarded(
          { op: 'anyOf', field: 'key', values: ['1', '2'] },
          { op: 'anyOf', field: 'key', values: ['2', '3'] },
        ),
        ['2'],
      )
      assert.deepEqual(
        await discarded({ op: 'equals', field: 'color', value: 'red' }, { op: 'equals', field: 'n', value: 3 }),
        ['3'],
      )
    },

    'discard-all removes documents of earlier changes but not of later ones, and none in a refused batch': async ({
      account,
    }) => {
      const counts = await commit(account, ensure(a), ensure(b), discardAll('things', 'p'), ensure(a, 'again'))
      assert.deepEqual(counts, [0, 0, 2, 0])
      assert.deepEqual([(await account.get(a))?.body, await account.get(b)], ['again', undefined])
      await refuse(account, 'missing', 1, discardAll('things', 'p'), expect(b, 1))
      assert.equal((await account.get(a))?.body, 'again')
    },

    'clear makes ids of documents, keys and samples available to the later changes of its batch': async ({
      account,
    }) => {
      await fill(account)
      const again = [insert(a, 'again'), addKeys(set, ['old']), append(series, [sample('old', 5)])]
      assert.deepEqual(await commit(account, clear('p'), ...again), [3, 1, 1, 1])
      assert.deepEqual(await contentOf(account), [[{ ...a, version: 1, body: 'again' }], ['old'], [sample('old', 5)]])
    },

    'an id that a batch wrote and cleared can be inserted again in that batch': async ({ account }) => {
      assert.deepEqual(await commit(account, insert(a, 1), clear('p'), insert(a, 2)), [1, 1, 1])
      assert.deepEqual(await account.get(a), { key: 'a', scope: 'p', version: 1, body: 2 })
    },

    'documents whose ids have the same concatenation are distinct': async ({ account }) => {
      const ids = [
        documentId('d', 'bc', 'a'),
        documentId('d', 'c', 'ab'),
        documentId('cd', 'b', 'a'),
        documentId('bcd', '', 'a'),
      ]
      await commit(account, ...ids.map((id) => insert(id, id)))
      assert.deepEqual(
        (await account.getMany(ids)).map((document) => document?.body),
        ids,
      )
    },

    'clear removes the documents and keys that earlier changes of its batch wrote': async ({ account }) => {
      const counts = await commit(
        account,
        insert(a),
        insert(documentId('x', 'q')),
        addKeys(set, ['x', 'y']),
        clear('p'),
      )
      assert.deepEqual(counts, [1, 1, 2, 3])
      assert.deepEqual(await contentOf(account), [[], [], []])
      assert.equal((await account.get(documentId('x', 'q')))?.version, 1)
    },

    'a batch can write 300 documents in many scopes': async ({ account }) => {
      const ids = Array.from({ length: 300 }, (_, i) => documentId(`k${i}`, `s${i % 7}`, `c${i % 3}`))
      await commit(account, ...ids.map((id) => insert(id, id.key)))
      await commit(account, ...ids.map((id, i) => (i % 2 ? remove(id, 1) : replace(id, 1, 'changed'))))
      const documents = await account.getMany(ids)
      assert.equal(documents.filter((document) => document?.version === 2 && document.body === 'changed').length, 150)
      assert.equal(documents.filter((document) => document === undefined).length, 150)
    },
  },
}

async function fill(account: AccountStorage): Promise<void> {
  await commit(account, insert(a, 'A', { name: 'A' }), addKeys(set, ['old']), append(series, [sample('old', 1)]))
}

/** Returns everything that the scope `p` contains. */
async function contentOf(account: AccountStorage): Promise<[unknown[], string[], unknown[]]> {
  const { items } = await account.list({ collection: 'things', scope: 'p', limit: 10, select: 'bodies' })
  return [
    items.map(({ key, scope, version, body }) => ({ collection: 'things', key, scope, version, body })),
    await account.pageKeys(set, { limit: 10 }),
    await account.newest({ series, limit: 10 }),
  ]
}
