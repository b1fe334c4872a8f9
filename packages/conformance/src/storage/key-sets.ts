import type { AccountStorage, SetId } from '@halyard/core/storage'
import { assert } from './assert.ts'
import { addKeys, commit, documentId, insert, moveKeys, refuse, removeKeys } from './changes.ts'
import type { StorageCases } from './conformance-case.ts'
import { compareText } from './reference-list.ts'
import { unusualNames } from './unusual-names.ts'

const set: SetId = { name: 'included', scope: 'proj/p:segment/s' }
const staged: SetId = { name: 'staged', scope: 'proj/p:segment/s:import/i' }

export const keySetCases: StorageCases = {
  group: 'key sets',
  cases: {
    'a set that was never written is empty': async ({ account }) => {
      assert.isFalse(await account.hasKey(set, 'a'))
      assert.equal(await account.countKeys(set), 0)
      assert.deepEqual(await account.pageKeys(set, { limit: 10 }), [])
    },

    'a set contains exactly the keys that were added': async ({ account }) => {
      await commit(account, addKeys(set, ['a', 'b']))
      assert.isTrue(await account.hasKey(set, 'a'))
      assert.isFalse(await account.hasKey(set, 'A'))
      assert.isFalse(await account.hasKey(set, ''))
      assert.equal(await account.countKeys(set), 2)
    },

    'the count of an addition is the number of new keys, each once': async ({ account }) => {
      assert.deepEqual(await commit(account, addKeys(set, ['a', 'b', 'a'])), [2])
      assert.deepEqual(await commit(account, addKeys(set, ['b', 'c'])), [1])
      assert.deepEqual(await commit(account, addKeys(set, ['a', 'b', 'c'])), [0])
      assert.deepEqual(await commit(account, addKeys(set, [])), [0])
      assert.equal(await account.countKeys(set), 3)
    },

    'the count of a removal is the number of removed keys, each once': async ({ account }) => {
      await commit(account, addKeys(set, ['a', 'b', 'c']))
      assert.deepEqual(await commit(account, removeKeys(set, ['a', 'x', 'a'])), [1])
      assert.deepEqual(await commit(account, removeKeys(set, ['a'])), [0])
      assert.deepEqual(await commit(account, removeKeys(set, [])), [0])
      assert.deepEqual(await account.pageKeys(set, { limit: 10 }), ['b', 'c'])
    },

    'changes of one batch are applied in order': async ({ account }) => {
      const batch = [addKeys(set, ['a', 'b']), removeKeys(set, ['b', 'c']), addKeys(set, ['b', 'c'])]
      assert.deepEqual(await commit(account, ...batch), [2, 1, 2])
      assert.deepEqual(await account.pageKeys(set, { limit: 10 }), ['a', 'b', 'c'])
    },

    'sets with different names or scopes are distinct': async ({ account }) => {
      const sets = [set, { ...set, name: 'excluded' }, { ...set, scope: 'proj/p:segment/t' }, { ...set, scope: '' }]
      await commit(account, ...sets.map((keySet, i) => addKeys(keySet, [`m${i}`])))
      for (const [i, keySet] of sets.entries())
        assert.deepEqual(await account.pageKeys(keySet, { limit: 10 }), [`m${i}`])
    },

    'keys preserve every character and are paged in code-point order': async ({ account }) => {
      await commit(account, addKeys(set, unusualNames))
      for (const name of unusualNames) assert.isTrue(await account.hasKey(set, name), name)
      assert.deepEqual(await account.pageKeys(set, { limit: 100 }), [...unusualNames].sort(compareText))
    },

    'a set of 300 keys is paged in code-point order': async ({ account }) => {
      // The keys are on both sides of the surrogates, where code points and UTF-16 units have different orders.
      const keys = Array.from({ length: 300 }, (_, i) => `${['\ufffd', '\u{1f600}', 'z'][i % 3]}${i}`)
      await commit(account, addKeys(set, keys))
      assert.deepEqual(await account.pageKeys(set, { limit: 1000 }), [...keys].sort(compareText))
    },

    'a page continues after a key, whether or not the set contains it': async ({ account }) => {
      await commit(account, addKeys(set, ['b', 'd', 'f', 'h']))
      const page = (after: string | undefined, limit: number) => account.pageKeys(set, { after, limit })
      assert.deepEqual(await page(undefined, 2), ['b', 'd'])
      assert.deepEqual(await page('d', 2), ['f', 'h'])
      assert.deepEqual(await page('e', 1), ['f'])
      assert.deepEqual(await page('', 1), ['b'])
      assert.deepEqual(await page('h', 2), [])
      assert.deepEqual(await page('z', 2), [])
      assert.deepEqual(await page('b', 0), [])
    },

    'one query returns which of many keys a set contains': async ({ account }) => {
      await commit(account, addKeys(set, [...unusualNames, 'a']))
      const candidates = [...unusualNames, 'a', 'a', 'absent', '']
      const matches = await account.findKeys(set, candidates)
      assert.deepEqual(matches.sort(compareText), [...new Set([...unusualNames, 'a'])].sort(compareText))
      assert.deepEqual(await account.findKeys(set, []), [])
      assert.deepEqual(await account.findKeys(staged, ['a']), [])
    },

    'the keys that another set does not contain can be counted': async ({ account }) => {
      await commit(account, addKeys(set, ['a', 'b', 'c']), addKeys(staged, ['b', 'c', 'd', 'e']))
      assert.equal(await account.countKeys(set, staged), 1)
      assert.equal(await account.countKeys(staged, set), 2)
      assert.equal(await account.countKeys(set, set), 0)
      assert.equal(await account.countKeys(set, { ...set, name: 'nothing' }), 3)
      assert.equal(await account.countKeys({ ...set, name: 'nothing' }, set), 0)
    },

    'moving empties the source, and its count is the number of keys that are new in the target': async ({
      account,
    }) => {
      await commit(account, addKeys(set, ['a', 'b']), addKeys(staged, ['b', 'c', ...unusualNames]))
      const newCount = new Set(unusualNames.filter((name) => !['a', 'b', 'c'].includes(name))).size + 1
      assert.deepEqual(await commit(account, moveKeys(staged, set)), [newCount])
      assert.equal(await account.countKeys(staged), 0)
      const all = [...new Set(['a', 'b', 'c', ...unusualNames])].sort(compareText)
      assert.deepEqual(await account.pageKeys(set, { limit: 100 }), all)
      assert.deepEqual(await commit(account, moveKeys(staged, set)), [0])
      assert.equal(await account.countKeys(set), all.length)
    },

    "moving with `replace` removes the target's other keys": async ({ account }) => {
      await commit(account, addKeys(set, ['a', 'b', 'z']), addKeys(staged, ['b', 'c']))
      assert.deepEqual(await commit(account, moveKeys(staged, set, true)), [1])
      assert.deepEqual(await account.pageKeys(set, { limit: 10 }), ['b', 'c'])
      assert.equal(await account.countKeys(staged), 0)
      assert.deepEqual(await commit(account, moveKeys(staged, set, true)), [0])
      assert.equal(await account.countKeys(set), 0)
    },

    'moving is applied in order with the other changes of its batch': async ({ account }) => {
      const batch = [addKeys(staged, ['a', 'b']), moveKeys(staged, set), removeKeys(set, ['a']), addKeys(staged, ['c'])]
      assert.deepEqual(await commit(account, ...batch), [2, 2, 1, 1])
      assert.deepEqual(await account.pageKeys(set, { limit: 10 }), ['b'])
      assert.deepEqual(await account.pageKeys(staged, { limit: 10 }), ['c'])
    },

    'a refused batch moves no keys': async ({ account }) => {
      await commit(account, insert(documentId('taken')), addKeys(set, ['a']), addKeys(staged, ['b']))
      await refuse(account, 'exists', 1, moveKeys(staged, set, true), insert(documentId('taken')))
      assert.deepEqual(await account.pageKeys(set, { limit: 10 }), ['a'])
      assert.deepEqual(await account.pageKeys(staged, { limit: 10 }), ['b'])
    },

    'paging through a set returns each key once': async ({ account }) => {
      await commit(account, addKeys(set, unusualNames))
      assert.deepEqual(await allKeys(account, 7), [...unusualNames].sort(compareText))
    },
  },
}

async function allKeys(account: AccountStorage, limit: number): Promise<string[]> {
  const keys: string[] = []
  for (;;) {
    const page = await account.pageKeys(set, { after: keys.at(-1), limit })
    if (page.length === 0) return keys
    keys.push(...page)
  }
}
