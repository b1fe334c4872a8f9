import type { AccountStorage, SetId } from '@halyard/core/storage'
import { assert } from './assert.ts'
import { addMembers, commit, insert, moveMembers, place, refuse, removeMembers } from './changes.ts'
import type { StorageCases } from './conformance-case.ts'
import { compareText } from './plain-reading.ts'
import { strangeNames } from './strange-text.ts'

const set: SetId = { name: 'included', scope: 'proj/p:segment/s' }
const staged: SetId = { name: 'staged', scope: 'proj/p:segment/s:import/i' }

export const memberCases: StorageCases = {
  group: 'members',
  cases: {
    'a set that nobody wrote is empty': async ({ account }) => {
      assert.isFalse(await account.hasMember(set, 'a'))
      assert.equal(await account.countMembers(set), 0)
      assert.deepEqual(await account.pageMembers(set, { limit: 10 }), [])
    },

    'members that were added are in, others are not': async ({ account }) => {
      await commit(account, addMembers(set, ['a', 'b']))
      assert.isTrue(await account.hasMember(set, 'a'))
      assert.isFalse(await account.hasMember(set, 'A'))
      assert.isFalse(await account.hasMember(set, ''))
      assert.equal(await account.countMembers(set), 2)
    },

    'adding counts those that were not in yet, each once': async ({ account }) => {
      assert.deepEqual(await commit(account, addMembers(set, ['a', 'b', 'a'])), [2])
      assert.deepEqual(await commit(account, addMembers(set, ['b', 'c'])), [1])
      assert.deepEqual(await commit(account, addMembers(set, ['a', 'b', 'c'])), [0])
      assert.deepEqual(await commit(account, addMembers(set, [])), [0])
      assert.equal(await account.countMembers(set), 3)
    },

    'removing counts those that were in, each once': async ({ account }) => {
      await commit(account, addMembers(set, ['a', 'b', 'c']))
      assert.deepEqual(await commit(account, removeMembers(set, ['a', 'x', 'a'])), [1])
      assert.deepEqual(await commit(account, removeMembers(set, ['a'])), [0])
      assert.deepEqual(await commit(account, removeMembers(set, [])), [0])
      assert.deepEqual(await account.pageMembers(set, { limit: 10 }), ['b', 'c'])
    },

    'changes of one batch take effect one after another': async ({ account }) => {
      const batch = [addMembers(set, ['a', 'b']), removeMembers(set, ['b', 'c']), addMembers(set, ['b', 'c'])]
      assert.deepEqual(await commit(account, ...batch), [2, 1, 2])
      assert.deepEqual(await account.pageMembers(set, { limit: 10 }), ['a', 'b', 'c'])
    },

    'sets differ by name and by scope': async ({ account }) => {
      const sets = [set, { ...set, name: 'excluded' }, { ...set, scope: 'proj/p:segment/t' }, { ...set, scope: '' }]
      await commit(account, ...sets.map((one, i) => addMembers(one, [`m${i}`])))
      for (const [i, one] of sets.entries()) assert.deepEqual(await account.pageMembers(one, { limit: 10 }), [`m${i}`])
    },

    'members keep every character and come by code point': async ({ account }) => {
      await commit(account, addMembers(set, strangeNames))
      for (const name of strangeNames) assert.isTrue(await account.hasMember(set, name), name)
      assert.deepEqual(await account.pageMembers(set, { limit: 100 }), [...strangeNames].sort(compareText))
    },

    'a large set comes by code point too': async ({ account }) => {
      // On both sides of the surrogates, where UTF-16 units have another order.
      const members = Array.from({ length: 300 }, (_, i) => `${['\ufffd', '\u{1f600}', 'z'][i % 3]}${i}`)
      await commit(account, addMembers(set, members))
      assert.deepEqual(await account.pageMembers(set, { limit: 1000 }), [...members].sort(compareText))
    },

    'pages continue after a member, whether it is in or not': async ({ account }) => {
      await commit(account, addMembers(set, ['b', 'd', 'f', 'h']))
      const page = (after: string | undefined, limit: number) => account.pageMembers(set, { after, limit })
      assert.deepEqual(await page(undefined, 2), ['b', 'd'])
      assert.deepEqual(await page('d', 2), ['f', 'h'])
      assert.deepEqual(await page('e', 1), ['f'])
      assert.deepEqual(await page('', 1), ['b'])
      assert.deepEqual(await page('h', 2), [])
      assert.deepEqual(await page('z', 2), [])
      assert.deepEqual(await page('b', 0), [])
    },

    'which of many are in is one question': async ({ account }) => {
      await commit(account, addMembers(set, [...strangeNames, 'a']))
      const asked = [...strangeNames, 'a', 'a', 'absent', '']
      const found = await account.findMembers(set, asked)
      assert.deepEqual(found.sort(compareText), [...new Set([...strangeNames, 'a'])].sort(compareText))
      assert.deepEqual(await account.findMembers(set, []), [])
      assert.deepEqual(await account.findMembers(staged, ['a']), [])
    },

    'members that another set has not can be counted': async ({ account }) => {
      await commit(account, addMembers(set, ['a', 'b', 'c']), addMembers(staged, ['b', 'c', 'd', 'e']))
      assert.equal(await account.countMembers(set, staged), 1)
      assert.equal(await account.countMembers(staged, set), 2)
      assert.equal(await account.countMembers(set, set), 0)
      assert.equal(await account.countMembers(set, { ...set, name: 'nothing' }), 3)
      assert.equal(await account.countMembers({ ...set, name: 'nothing' }, set), 0)
    },

    'moving empties a set into another, and counts what came new': async ({ account }) => {
      await commit(account, addMembers(set, ['a', 'b']), addMembers(staged, ['b', 'c', ...strangeNames]))
      const fresh = new Set(strangeNames.filter((name) => !['a', 'b', 'c'].includes(name))).size + 1
      assert.deepEqual(await commit(account, moveMembers(staged, set)), [fresh])
      assert.equal(await account.countMembers(staged), 0)
      const all = [...new Set(['a', 'b', 'c', ...strangeNames])].sort(compareText)
      assert.deepEqual(await account.pageMembers(set, { limit: 100 }), all)
      assert.deepEqual(await commit(account, moveMembers(staged, set)), [0])
      assert.equal(await account.countMembers(set), all.length)
    },

    'moving can replace what was there': async ({ account }) => {
      await commit(account, addMembers(set, ['a', 'b', 'z']), addMembers(staged, ['b', 'c']))
      assert.deepEqual(await commit(account, moveMembers(staged, set, true)), [1])
      assert.deepEqual(await account.pageMembers(set, { limit: 10 }), ['b', 'c'])
      assert.equal(await account.countMembers(staged), 0)
      assert.deepEqual(await commit(account, moveMembers(staged, set, true)), [0])
      assert.equal(await account.countMembers(set), 0)
    },

    'moving takes its turn in a batch': async ({ account }) => {
      const batch = [
        addMembers(staged, ['a', 'b']),
        moveMembers(staged, set),
        removeMembers(set, ['a']),
        addMembers(staged, ['c']),
      ]
      assert.deepEqual(await commit(account, ...batch), [2, 2, 1, 1])
      assert.deepEqual(await account.pageMembers(set, { limit: 10 }), ['b'])
      assert.deepEqual(await account.pageMembers(staged, { limit: 10 }), ['c'])
    },

    'a refused batch moves nothing': async ({ account }) => {
      await commit(account, insert(place('taken')), addMembers(set, ['a']), addMembers(staged, ['b']))
      await refuse(account, 'exists', 1, moveMembers(staged, set, true), insert(place('taken')))
      assert.deepEqual(await account.pageMembers(set, { limit: 10 }), ['a'])
      assert.deepEqual(await account.pageMembers(staged, { limit: 10 }), ['b'])
    },

    'paging through a set meets each member once': async ({ account }) => {
      await commit(account, addMembers(set, strangeNames))
      assert.deepEqual(await allMembers(account, 7), [...strangeNames].sort(compareText))
    },
  },
}

async function allMembers(account: AccountStorage, limit: number): Promise<string[]> {
  const met: string[] = []
  for (;;) {
    const page = await account.pageMembers(set, { after: met.at(-1), limit })
    if (page.length === 0) return met
    met.push(...page)
  }
}
