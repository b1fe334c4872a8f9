import type { AccountStorage } from '@halyard/core/storage'
import { assert } from './assert.ts'
import { commit, documentId, insert, mutateDeeply, refuse, remove, replace } from './changes.ts'
import type { StorageCases } from './conformance-case.ts'
import { unusualNames } from './unusual-names.ts'

/** JSON that some column types, drivers or copies do not preserve. */
const bodies: Readonly<Record<string, string>> = {
  'the empty object': '{}',
  'the empty list': '[]',
  'a list': '[1,"1",true,null,[[]],{}]',
  null: 'null',
  true: 'true',
  'a number': '17',
  text: '"text"',
  'the empty string': '""',
  'text that looks like JSON': '"{\\"a\\": 1}"',
  'nested objects': '{"a":{"b":{"c":[{"d":null},{"d":false}]}}}',
  'properties in unsorted order': '{"zeta":1,"alpha":2,"Mid":3,"_":4,"longer name":5,"b":6}',
  'the largest and smallest safe integers': '[9007199254740991,-9007199254740991]',
  'fractions and exponents': '[0.1,-2.5,1e-7,1e+21,1.7976931348623157e+308,5e-324]',
  'an empty name': '{"":1}',
  'a property named __proto__': '{"__proto__":{"polluted":true}}',
  'escapes and control characters': '"\\" \\\\ / \\b \\f \\n \\r \\t \\u0001 \\u001f \\u2028"',
  'text beyond the basic multilingual plane': '"\\ud83d\\ude00 \\udbff\\udfff e\\u0301 \\ufffd"',
}

export const documentCases: StorageCases = {
  group: 'documents',
  cases: {
    'get returns the inserted document as version 1': async ({ account }) => {
      await commit(account, insert(documentId('a', 'proj/p'), { name: 'A' }))
      assert.deepEqual(await account.get(documentId('a', 'proj/p')), {
        key: 'a',
        scope: 'proj/p',
        version: 1,
        body: { name: 'A' },
      })
    },

    'get returns undefined when no document has the id': async ({ account }) => {
      await commit(account, insert(documentId('a', 'proj/p')))
      for (const id of [
        documentId('b', 'proj/p'),
        documentId('a'),
        documentId('a', 'proj/q'),
        documentId('a', 'proj/p', 'others'),
      ]) {
        assert.isUndefined(await account.get(id))
      }
    },

    'documents with the same key exist independently in each collection and scope': async ({ account }) => {
      const ids = ['things', 'others'].flatMap((collection) =>
        ['', 'proj/p', 'proj/p:env/e'].map((scope) => documentId('a', scope, collection)),
      )
      await commit(account, ...ids.map((id, i) => insert(id, i)))
      assert.deepEqual(await bodiesOf(account, ids), [0, 1, 2, 3, 4, 5])
    },

    'getMany returns documents in the order of the ids, with undefined for missing ones and repetitions': async ({
      account,
    }) => {
      await commit(
        account,
        insert(documentId('a'), 'A'),
        insert(documentId('b', 's'), 'B'),
        insert(documentId('c', '', 'others'), 'C'),
      )
      const ids = [
        documentId('c', '', 'others'),
        documentId('none'),
        documentId('a'),
        documentId('b', 's'),
        documentId('b'),
        documentId('a'),
      ]
      assert.deepEqual(await bodiesOf(account, ids), ['C', undefined, 'A', 'B', undefined, 'A'])
    },

    'getMany of no ids returns an empty list': async ({ account }) => {
      assert.deepEqual(await account.getMany([]), [])
    },

    'replace replaces body and fields and increments the version': async ({ account }) => {
      const id = documentId('a')
      await commit(account, insert(id, { old: true }, { name: 'old', gone: 1 }))
      await commit(account, replace(id, 1, { fresh: true }, { name: 'new' }))
      await commit(account, replace(id, 2, { fresher: true }, { name: 'newer' }))
      const { items } = await account.list({ collection: 'things', scope: '', limit: 1, select: 'bodies' })
      assert.deepEqual(items, [{ key: 'a', scope: '', version: 3, fields: { name: 'newer' }, body: { fresher: true } }])
      const document = { key: 'a', scope: '', version: 3, body: { fresher: true } }
      assert.deepEqual(await account.get(id), document)
      assert.deepEqual(await account.getMany([id]), [document])
    },

    'a key can be inserted again after its document was removed': async ({ account }) => {
      const id = documentId('a')
      await commit(account, insert(id), replace(id, 1))
      await commit(account, remove(id, 2))
      assert.isUndefined(await account.get(id))
      await refuse(account, 'missing', 0, replace(id, 2))
      await commit(account, insert(id, 'again'))
      assert.deepEqual(await account.get(id), { key: 'a', scope: '', version: 1, body: 'again' })
    },

    'keys preserve every character': async ({ account }) => {
      await assertStoresAll(account, (name) => documentId(name, 'proj/p'))
    },

    'scopes preserve every character': async ({ account }) => {
      await assertStoresAll(account, (name) => documentId('a', name))
    },

    'collections preserve every character': async ({ account }) => {
      await assertStoresAll(account, (name) => documentId('a', '', name))
    },

    ...Object.fromEntries(
      Object.entries(bodies).map(([description, bodyJson]) => [
        `a body is returned as it was stored: ${description}`,
        async ({ account }: { account: AccountStorage }) => {
          await commit(account, insert(documentId('a'), JSON.parse(bodyJson)))
          // Compared as text, because the order of properties counts, and a property named `__proto__` must not have
          // become the prototype.
          assert.equal(JSON.stringify((await account.get(documentId('a')))?.body), JSON.stringify(JSON.parse(bodyJson)))
        },
      ]),
    ),

    'fields are returned as they were stored': async ({ account }) => {
      const fields = {
        text: 'x',
        empty: '',
        number: -1.5,
        yes: true,
        no: false,
        nothing: null,
        list: ['b', 'a'],
        none: [],
      }
      await commit(account, insert(documentId('a'), null, fields))
      const { items } = await account.list({ collection: 'things', scope: '', limit: 1, select: 'fields' })
      assert.deepEqual(items[0]?.fields, fields)
    },

    'changing a returned value does not change stored data': async ({ account }) => {
      await commit(account, insert(documentId('a'), { list: [1], deep: { x: 1 } }, { tags: ['t'] }))
      const results = [
        await account.get(documentId('a')),
        await account.getMany([documentId('a')]),
        await account.list({ collection: 'things', scope: '', limit: 1, select: 'bodies' }),
      ]
      for (const result of results) mutateDeeply(result)
      await assertUnchanged(account)
    },

    'changing a written value after the commit does not change stored data': async ({ account }) => {
      const body = Object.freeze({ list: [1], deep: { x: 1 } })
      const change = insert(documentId('a'), body, { tags: ['t'] })
      await commit(account, change)
      mutateDeeply(change)
      await assertUnchanged(account)
    },
  },
}

async function bodiesOf(account: AccountStorage, ids: Parameters<AccountStorage['getMany']>[0]): Promise<unknown[]> {
  const documents = await account.getMany(ids)
  return documents.map((document) => document?.body)
}

async function assertStoresAll(
  account: AccountStorage,
  idOf: (name: string) => ReturnType<typeof documentId>,
): Promise<void> {
  await commit(account, ...unusualNames.map((name) => insert(idOf(name), { name })))
  const expected = unusualNames.map((name) => ({ ...pick(idOf(name)), version: 1, body: { name } }))
  assert.deepEqual(await account.getMany(unusualNames.map(idOf)), expected)
}

function pick({ key, scope }: { key: string; scope: string }): { key: string; scope: string } {
  return { key, scope }
}

async function assertUnchanged(account: AccountStorage): Promise<void> {
  const page = await account.list({ collection: 'things', scope: '', limit: 1, select: 'bodies' })
  assert.deepEqual(page.items, [
    { key: 'a', scope: '', version: 1, fields: { tags: ['t'] }, body: { list: [1], deep: { x: 1 } } },
  ])
  assert.deepEqual((await account.get(documentId('a')))?.body, { list: [1], deep: { x: 1 } })
}
