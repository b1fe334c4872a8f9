import type { AccountStorage } from '@halyard/core/storage'
import { assert } from './assert.ts'
import { addMembers, append, clear, commit, enqueue, insert, place, sample, task } from './changes.ts'
import type { StorageCases } from './conformance-case.ts'

const below = [
  'proj/p',
  'proj/p:env/e',
  'proj/p:env/e:flag/f',
  'proj/p:x',
  'proj/p:x;y',
  'proj/p: ',
  'proj/p:\u{10ffff}',
]
const beside = [
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
const patterns = ['a%', 'a_', 'a\\', 'a*', 'a.', 'ab', 'abc', 'a']

export const scopeCases: StorageCases = {
  group: 'scopes',
  cases: {
    'a list returns the documents of one scope only': async ({ account }) => {
      await fill(account, [...below, ...beside])
      for (const scope of [...below, ...beside]) assert.deepEqual(await scopesListed(account, scope, false), [scope])
      assert.deepEqual(await scopesListed(account, 'proj/none', false), [])
    },

    'a deep list returns the documents of a scope and of the scopes that continue it after a colon': async ({ account }) => {
      await fill(account, [...below, ...beside])
      assert.deepEqual(await scopesListed(account, 'proj/p', true), [...below].sort())
      assert.deepEqual(await scopesListed(account, 'proj/p:x', true), ['proj/p:x'])
      assert.deepEqual(await scopesListed(account, 'proj/p:env', true), [])
      assert.deepEqual(await scopesListed(account, 'x', true), ['x:proj/p'])
    },

    'a deep list of the empty scope returns the documents of all scopes': async ({ account }) => {
      await fill(account, [...below, ...beside])
      assert.deepEqual(await scopesListed(account, '', true), [...below, ...beside].sort())
      assert.deepEqual(await scopesListed(account, '', false), [''])
    },

    'a deep list treats wildcards in a scope as ordinary characters': async ({ account }) => {
      await fill(
        account,
        patterns.flatMap((scope) => [scope, `${scope}:x`]),
      )
      for (const scope of patterns) assert.deepEqual(await scopesListed(account, scope, true), [scope, `${scope}:x`])
    },

    'clear removes documents, set keys, samples and tasks at and under a scope': async ({ account }) => {
      await fill(account, below)
      // A document, two set keys, three samples and four tasks in each scope.
      assert.deepEqual(await commit(account, clear('proj/p')), [10 * below.length])
      for (const scope of below) assert.deepEqual(await contentOf(account, scope), [false, 0, 0, 0])
    },

    'clear removes nothing beside or above the scope': async ({ account }) => {
      await fill(account, [...below, ...beside])
      await commit(account, clear('proj/p'))
      for (const scope of beside) assert.deepEqual(await contentOf(account, scope), [true, 2, 3, 4], scope)
    },

    'clear treats wildcards in a scope as ordinary characters': async ({ account }) => {
      for (const scope of patterns) {
        await fill(account, patterns)
        await commit(account, clear(scope))
        assert.deepEqual(await scopesListed(account, '', true), patterns.filter((other) => other !== scope).sort())
        for (const other of patterns) await commit(account, clear(other))
      }
    },

    'clear does not remove the document whose address is the scope': async ({ account }) => {
      await commit(account, insert(place('p', '', 'proj')), insert(place('x', 'proj/p')))
      assert.deepEqual(await commit(account, clear('proj/p')), [1])
      assert.equal((await account.get(place('p', '', 'proj')))?.version, 1)
    },

    'clear of the empty scope removes everything in the account and nothing in other accounts': async ({ account, accountNamed }) => {
      const neighbour = accountNamed('neighbour')
      await fill(account, [...below, ...beside])
      await fill(neighbour, ['', 'proj/p'])
      assert.deepEqual(await commit(account, clear('')), [10 * (below.length + beside.length)])
      assert.deepEqual(await scopesListed(account, '', true), [])
      assert.deepEqual(await contentOf(neighbour, 'proj/p'), [true, 2, 3, 4])
    },

    'clear of an empty scope returns 0': async ({ account }) => {
      await fill(account, beside)
      assert.deepEqual(await commit(account, clear('proj/p')), [0])
    },

    'accounts do not share data': async ({ account, accountNamed }) => {
      await fill(account, ['proj/p'])
      for (const name of ['other', 'Main', 'main ', 'main:x', 'mai%', 'main/']) {
        const other = accountNamed(name)
        assert.deepEqual(await contentOf(other, 'proj/p'), [false, 0, 0, 0], name)
        assert.deepEqual(await scopesListed(other, '', true), [])
        await fill(other, ['proj/p'])
      }
      assert.deepEqual(await contentOf(account, 'proj/p'), [true, 2, 3, 4])
    },

    'two handles with the same account name access the same data': async ({ accountNamed }) => {
      await commit(accountNamed('twice'), insert(place('a'), 'A'))
      assert.equal((await accountNamed('twice').get(place('a')))?.body, 'A')
    },
  },
}

/** Writes a document, two set keys, three samples and four tasks into each scope. */
async function fill(account: AccountStorage, scopes: readonly string[]): Promise<void> {
  const changes = scopes.flatMap((scope) => [
    insert(place('doc', scope)),
    addMembers({ name: 'set', scope }, ['m', 'n']),
    append({ name: 'series', scope }, [sample('1', 1), sample('2', 2), sample('3', 3)]),
    enqueue({ name: 'queue', scope }, [task('1', 1), task('2', 2), task('3', 3), task('4', 4, { lane: 'other' })]),
  ])
  await commit(account, ...changes)
}

async function contentOf(account: AccountStorage, scope: string): Promise<[boolean, number, number, number]> {
  const document = await account.get(place('doc', scope))
  const samples = await account.newest({ series: { name: 'series', scope }, limit: 10 })
  const tasks = await account.listTasks({ name: 'queue', scope }, { limit: 10 })
  return [document !== undefined, await account.countKeys({ name: 'set', scope }), samples.length, tasks.length]
}

/** Returns the scopes of the listed documents. All have the same key, so they are ordered by scope. */
async function scopesListed(account: AccountStorage, scope: string, deep: boolean): Promise<string[]> {
  const page = await account.list({ collection: 'things', scope, deep, limit: 100, select: 'fields' })
  return page.items.map((item) => item.scope)
}
