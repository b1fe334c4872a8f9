import type { AccountStorage } from '@halyard/core/storage'
import { assert } from './assert.ts'
import { addKeys, append, clear, commit, documentId, enqueue, insert, sample, task } from './changes.ts'
import type { StorageCases } from './conformance-case.ts'

const scopesAtOrUnder = [
  'proj/p',
  'proj/p:env/e',
  'proj/p:env/e:flag/f',
  'proj/p:x',
  'proj/p:x;y',
  'proj/p: ',
  'proj/p:\u{10ffff}',
]
const otherScopes = [
  '',
  'proj',
  'proj/',
  'proj/P',
  'proj/p2',
  'proj/p ',
  'proj/p;',
  'proj/p;x',
  'proj/p9:x',
  'proj/q',
  'x:proj/p',
]

/** Scopes that a pattern match would confuse with each other. */
const scopesWithWildcards = ['a%', 'a_', 'a\\', 'a*', 'a.', 'ab', 'abc', 'a']

export const scopeCases: StorageCases = {
  group: 'scopes',
  cases: {
    'a list returns the documents of one scope only': async ({ account }) => {
      await fill(account, [...scopesAtOrUnder, ...otherScopes])
      for (const scope of [...scopesAtOrUnder, ...otherScopes])
        assert.deepEqual(await listedScopes(account, scope, false), [scope])
      assert.deepEqual(await listedScopes(account, 'proj/none', false), [])
    },

    'a deep list returns the documents of a scope and of the scopes that continue it after a colon': async ({
      account,
    }) => {
      await fill(account, [...scopesAtOrUnder, ...otherScopes])
      assert.deepEqual(await listedScopes(account, 'proj/p', true), [...scopesAtOrUnder].sort())
      assert.deepEqual(await listedScopes(account, 'proj/p:x', true), ['proj/p:x'])
      assert.deepEqual(await listedScopes(account, 'proj/p:env', true), [])
      assert.deepEqual(await listedScopes(account, 'x', true), ['x:proj/p'])
    },

    'a deep list of the empty scope returns the documents of all scopes': async ({ account }) => {
      await fill(account, [...scopesAtOrUnder, ...otherScopes])
      assert.deepEqual(await listedScopes(account, '', true), [...scopesAtOrUnder, ...otherScopes].sort())
      assert.deepEqual(await listedScopes(account, '', false), [''])
    },

    'a deep list treats wildcards in a scope as ordinary characters': async ({ account }) => {
      await fill(
        account,
        scopesWithWildcards.flatMap((scope) => [scope, `${scope}:x`]),
      )
      for (const scope of scopesWithWildcards)
        assert.deepEqual(await listedScopes(account, scope, true), [scope, `${scope}:x`])
    },

    'clear removes documents, set keys, samples and tasks at and under a scope': async ({ account }) => {
      await fill(account, scopesAtOrUnder)
      // A document, two set keys, three samples and four tasks in each scope.
      assert.deepEqual(await commit(account, clear('proj/p')), [10 * scopesAtOrUnder.length])
      for (const scope of scopesAtOrUnder) assert.deepEqual(await contentOf(account, scope), [false, 0, 0, 0])
    },

    'clear removes nothing in sibling and parent scopes': async ({ account }) => {
      await fill(account, [...scopesAtOrUnder, ...otherScopes])
      await commit(account, clear('proj/p'))
      for (const scope of otherScopes) assert.deepEqual(await contentOf(account, scope), [true, 2, 3, 4], scope)
    },

    'clear treats wildcards in a scope as ordinary characters': async ({ account }) => {
      for (const scope of scopesWithWildcards) {
        await fill(account, scopesWithWildcards)
        await commit(account, clear(scope))
        assert.deepEqual(
          await listedScopes(account, '', true),
          scopesWithWildcards.filter((other) => other !== scope).sort(),
        )
        for (const other of scopesWithWildcards) await commit(account, clear(other))
      }
    },

    'clear does not remove the document whose address is the scope': async ({ account }) => {
      await commit(account, insert(documentId('p', '', 'proj')), insert(documentId('x', 'proj/p')))
      assert.deepEqual(await commit(account, clear('proj/p')), [1])
      assert.equal((await account.get(documentId('p', '', 'proj')))?.version, 1)
    },

    'clear of the empty scope removes everything in the account and nothing in other accounts': async ({
      account,
      accountNamed,
    }) => {
      const neighbor = accountNamed('neighbour')
      await fill(account, [...scopesAtOrUnder, ...otherScopes])
      await fill(neighbor, ['', 'proj/p'])
      assert.deepEqual(await commit(account, clear('')), [10 * (scopesAtOrUnder.length + otherScopes.length)])
      assert.deepEqual(await listedScopes(account, '', true), [])
      assert.deepEqual(await contentOf(neighbor, 'proj/p'), [true, 2, 3, 4])
    },

    'clear of an empty scope returns 0': async ({ account }) => {
      await fill(account, otherScopes)
      assert.deepEqual(await commit(account, clear('proj/p')), [0])
    },

    'accounts do not share data': async ({ account, accountNamed }) => {
      await fill(account, ['proj/p'])
      for (const name of ['other', 'Main', 'main ', 'main:x', 'mai%', 'main/']) {
        const other = accountNamed(name)
        assert.deepEqual(await contentOf(other, 'proj/p'), [false, 0, 0, 0], name)
        assert.deepEqual(await listedScopes(other, '', true), [])
        await fill(other, ['proj/p'])
      }
      assert.deepEqual(await contentOf(account, 'proj/p'), [true, 2, 3, 4])
    },

    'two handles with the same account name access the same data': async ({ accountNamed }) => {
      await commit(accountNamed('twice'), insert(documentId('a'), 'A'))
      assert.equal((await accountNamed('twice').get(documentId('a')))?.body, 'A')
    },
  },
}

/** Writes a document, two set keys, three samples and four tasks into each scope. */
async function fill(account: AccountStorage, scopes: readonly string[]): Promise<void> {
  const changes = scopes.flatMap((scope) => [
    insert(documentId('doc', scope)),
    addKeys({ name: 'set', scope }, ['m', 'n']),
    append({ name: 'series', scope }, [sample('1', 1), sample('2', 2), sample('3', 3)]),
    enqueue({ name: 'queue', scope }, [task('1', 1), task('2', 2), task('3', 3), task('4', 4, { lane: 'other' })]),
  ])
  await commit(account, ...changes)
}

async function contentOf(account: AccountStorage, scope: string): Promise<[boolean, number, number, number]> {
  const document = await account.get(documentId('doc', scope))
  const samples = await account.newest({ series: { name: 'series', scope }, limit: 10 })
  const tasks = await account.listTasks({ name: 'queue', scope }, { limit: 10 })
  return [document !== undefined, await account.countKeys({ name: 'set', scope }), samples.length, tasks.length]
}

/** Returns the scopes of the listed documents. All have the same key, so they are ordered by scope. */
async function listedScopes(account: AccountStorage, scope: string, deep: boolean): Promise<string[]> {
  const page = await account.list({ collection: 'things', scope, deep, limit: 100, select: 'fields' })
  return page.items.map((item) => item.scope)
}
