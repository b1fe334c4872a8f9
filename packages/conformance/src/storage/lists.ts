import type { AccountStorage, Fields, ListQuery } from '@halyard/core/storage'
import { assert } from './assert.ts'
import { commit, documentId, insert, remove } from './changes.ts'
import type { StorageCases } from './conformance-case.ts'
import { compareText } from './reference-list.ts'
import { unusualNames } from './unusual-names.ts'

export const listCases: StorageCases = {
  group: 'lists',
  cases: {
    'a list without an order is sorted by key, in code-point order': async ({ account }) => {
      await put(account, Object.fromEntries(unusualNames.map((name) => [name, {}])))
      assert.deepEqual(await keys(account), [...unusualNames].sort(compareText))
      // The expected order is by code points. The order of UTF-16 units would be different.
      assert.deepEqual((await keys(account)).slice(-3), ['\u{1f600}', '\u{1f600}'.repeat(256), '\u{10ffff}'])
    },

    'descending order by key is the reverse of ascending order': async ({ account }) => {
      await put(account, Object.fromEntries(unusualNames.map((name) => [name, {}])))
      const order = [{ field: 'key', type: 'text', descending: true }] as const
      assert.deepEqual(await keys(account, { order }), [...unusualNames].sort(compareText).reverse())
    },

    'a list is sorted by a text field in code-point order, capitals before small letters': async ({ account }) => {
      await put(account, {
        a: { name: '\u{1f600}' },
        b: { name: '\ufffd' },
        c: { name: 'b' },
        d: { name: 'B' },
        e: { name: '' },
        f: { name: '\u00e9' },
        g: { name: '10' },
        h: { name: '9' },
      })
      assert.deepEqual(await keys(account, orderBy('name')), ['e', 'g', 'h', 'd', 'c', 'f', 'b', 'a'])
      assert.deepEqual(await keys(account, orderBy('-name')), ['a', 'b', 'f', 'c', 'd', 'h', 'g', 'e'])
    },

    'a list is sorted by a number field in numeric order': async ({ account }) => {
      await put(account, { a: { n: 10 }, b: { n: 9 }, c: { n: -1 }, d: { n: 0.5 }, e: { n: 1e21 }, f: { n: -1e-7 } })
      assert.deepEqual(await keys(account, orderBy('#n')), ['c', 'f', 'd', 'b', 'a', 'e'])
      assert.deepEqual(await keys(account, orderBy('-#n')), ['e', 'a', 'b', 'd', 'f', 'c'])
    },

    'a list is sorted by a boolean field with false before true': async ({ account }) => {
      await put(account, {
        a: { on: true },
        b: { on: false },
        c: {},
        d: { on: 'false' },
        e: { on: true },
        f: { on: 0 },
      })
      const order = (descending: boolean) => ({ order: [{ field: 'on', type: 'boolean', descending }] }) as const
      assert.deepEqual(await keys(account, order(false)), ['c', 'd', 'f', 'b', 'a', 'e'])
      assert.deepEqual(await keys(account, order(true)), ['a', 'e', 'b', 'c', 'd', 'f'])
    },

    'a list is sorted by a field with a list of texts': async ({ account }) => {
      await put(account, {
        a: { tags: ['b'] },
        b: { tags: ['a', 'c'] },
        c: { tags: [] },
        d: { tags: ['a'] },
        e: { tags: ['c', 'a'] },
        f: {},
        g: { tags: ['a-b'] },
        h: { tags: 'a' },
      })
      const order = (descending: boolean) => ({ order: [{ field: 'tags', type: 'texts', descending }] }) as const
      assert.deepEqual(await keys(account, order(false)), ['c', 'f', 'h', 'd', 'b', 'g', 'a', 'e'])
      assert.deepEqual(await keys(account, order(true)), ['e', 'a', 'g', 'b', 'd', 'c', 'f', 'h'])
    },

    'documents without the field come first in ascending order and last in descending order': async ({ account }) => {
      await put(account, { a: { n: 1, name: 'x' }, b: {}, c: { n: 0, name: '' }, d: { n: null, name: null } })
      assert.deepEqual(await keys(account, orderBy('#n')), ['b', 'd', 'c', 'a'])
      assert.deepEqual(await keys(account, orderBy('-#n')), ['a', 'c', 'b', 'd'])
      assert.deepEqual(await keys(account, orderBy('name')), ['b', 'd', 'c', 'a'])
      assert.deepEqual(await keys(account, orderBy('-name')), ['a', 'c', 'b', 'd'])
    },

    'the second criterion decides when the first is equal': async ({ account }) => {
      await put(account, { a: { g: 'x', n: 1 }, b: { g: 'y', n: 1 }, c: { g: 'x', n: 2 }, d: { g: 'y', n: 2 } })
      assert.deepEqual(await keys(account, orderBy('g', '-#n')), ['c', 'a', 'd', 'b'])
      assert.deepEqual(await keys(account, orderBy('-g', '#n')), ['b', 'd', 'a', 'c'])
      assert.deepEqual(await keys(account, orderBy('g', '-key')), ['c', 'a', 'd', 'b'])
    },

    'ties are broken by ascending scope, then key, in ascending and descending order': async ({ account }) => {
      const ids = [
        ['z', 'b'],
        ['a', 'c'],
        ['a', ''],
        ['z', ''],
        ['m', 'b'],
      ] as const
      await commit(account, ...ids.map(([key, scope]) => insert(documentId(key, scope), null, { same: 1 })))
      const expected = ['/a', '/z', 'b/m', 'b/z', 'c/a']
      for (const order of [orderBy('#same'), orderBy('-#same'), orderBy('none'), orderBy('-none')]) {
        assert.deepEqual(await addresses(account, { ...order, deep: true }), expected)
      }
    },

    'documents with equal keys are sorted by ascending scope': async ({ account }) => {
      const scopes = ['c', '', '\u{1f600}', 'b', '\ufffd']
      await commit(account, ...scopes.map((scope) => insert(documentId('k', scope))))
      const expected = ['/k', 'b/k', 'c/k', '\ufffd/k', '\u{1f600}/k']
      assert.deepEqual(await addresses(account, { deep: true }), expected)
      assert.deepEqual(await addresses(account, { deep: true, ...orderBy('-key') }), expected)
    },

    'pages neither repeat nor omit documents, whatever criteria are equal': async ({ account }) => {
      const ids = Array.from({ length: 57 }, (_, i) => documentId(`k${i % 19}`, ['', 's', 's:t'][i % 3]))
      await commit(account, ...ids.map((id, i) => insert(id, null, { group: `g${i % 5}`, n: i % 4 })))
      for (const order of [
        {},
        orderBy('-key'),
        orderBy('group'),
        orderBy('-#n'),
        orderBy('group', '-#n'),
        orderBy('none'),
      ]) {
        const whole = await addresses(account, { ...order, deep: true })
        assert.equal(new Set(whole).size, 57)
        const paged: string[] = []
        for (let offset = 0; offset < 60; offset += 10) {
          paged.push(...(await addresses(account, { ...order, deep: true, offset, limit: 10 })))
        }
        assert.deepEqual(paged, whole)
      }
    },

    'the total is the number of matches without limit and offset': async ({ account }) => {
      await put(account, Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`k${i}`, { even: i % 2 === 0 }])))
      const where = [{ op: 'equals', field: 'even', value: true }] as const
      for (const [limit, offset] of [
        [100, 0],
        [2, 0],
        [2, 5],
        [2, 50],
        [0, 0],
      ] as const) {
        const page = { limit, offset }
        assert.equal((await list(account, { ...page, count: true })).total, 12)
        const even = await list(account, { ...page, count: true, where })
        assert.equal(even.total, 6)
        assert.equal(even.items.length, Math.max(0, Math.min(limit, 6 - offset)))
        assert.equal((await list(account, { ...page, count: true, ...orderBy('even') })).total, 12)
      }
    },

    'the total is undefined unless the query sets `count`': async ({ account }) => {
      await put(account, { a: {} })
      assert.isUndefined((await list(account, { limit: 5 })).total)
      assert.isUndefined((await list(account, { limit: 5, count: false, ...orderBy('name') })).total)
    },

    'a list is empty past the end, with limit 0, and in a scope or collection without documents': async ({
      account,
    }) => {
      await put(account, { a: {}, b: {} })
      assert.deepEqual(await list(account, { limit: 5, offset: 2 }), { items: [], total: undefined })
      assert.deepEqual(await list(account, { limit: 0, count: true }), { items: [], total: 2 })
      assert.deepEqual(await list(account, { limit: 5, scope: 'none', count: true }), { items: [], total: 0 })
      assert.deepEqual(await list(account, { limit: 5, collection: 'none', count: true }), { items: [], total: 0 })
    },

    'the items have bodies only when the query selects bodies': async ({ account }) => {
      await commit(account, insert(documentId('a', 's'), { whole: true }, { n: 1 }))
      const row = { key: 'a', scope: 's', version: 1, fields: { n: 1 } }
      const bodies = await list(account, { scope: 's', select: 'bodies' })
      assert.deepEqual(bodies.items, [{ ...row, body: { whole: true } }])
      const [fields] = (await list(account, { scope: 's', select: 'fields' })).items
      assert.isUndefined(fields?.body)
      assert.deepEqual({ ...fields, body: undefined }, { ...row, body: undefined })
    },

    'a list that is read again contains the documents inserted since, and omits removed ones': async ({ account }) => {
      await put(account, { b: {}, d: {} })
      assert.deepEqual(await keys(account), ['b', 'd'])
      await put(account, { c: {}, a: {} })
      assert.deepEqual(await keys(account), ['a', 'b', 'c', 'd'])
      await commit(account, remove(documentId('b'), 1), insert(documentId('e')), remove(documentId('e'), 1))
      assert.deepEqual(await keys(account), ['a', 'c', 'd'])
    },

    'names that objects inherit, such as `constructor`, can be field names': async ({ account }) => {
      await put(account, { a: {}, b: { constructor: 'x', toString: 'y' } })
      const where = [{ op: 'exists', field: 'constructor', value: true }] as const
      assert.deepEqual(await keys(account, { where }), ['b'])
      assert.deepEqual(await keys(account, orderBy('-toString')), ['b', 'a'])
    },
  },
}

type Query = Partial<ListQuery>

function list(account: AccountStorage, query: Query) {
  return account.list({ collection: 'things', scope: '', limit: 100, select: 'fields', ...query })
}

async function keys(account: AccountStorage, query: Query = {}): Promise<string[]> {
  return (await list(account, query)).items.map((item) => item.key)
}

async function addresses(account: AccountStorage, query: Query): Promise<string[]> {
  return (await list(account, query)).items.map((item) => `${item.scope}/${item.key}`)
}

async function put(account: AccountStorage, rows: Readonly<Record<string, Fields>>): Promise<void> {
  await commit(account, ...Object.entries(rows).map(([key, fields]) => insert(documentId(key), null, fields)))
}

/** Returns an order from a short notation: `-` for descending, `#` for numbers. */
function orderBy(...criteria: readonly string[]): Pick<ListQuery, 'order'> {
  const order = criteria.map((criterion) => ({
    field: criterion.replace(/^-?#?/, ''),
    type: criterion.includes('#') ? ('number' as const) : ('text' as const),
    descending: criterion.startsWith('-'),
  }))
  return { order }
}
