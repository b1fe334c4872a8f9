import { beforeEach, describe, expect, it } from 'vitest'
import { engineRequest } from '../account/test/calls.ts'
import {
  admin,
  base,
  bodyOf,
  hunk,
  now,
  type ReferenceAccount,
  referenceAccount,
  references,
} from './test/reference-account.ts'

let account: ReferenceAccount

beforeEach(async () => {
  account = await referenceAccount()
})

describe('a branch with code references', () => {
  beforeEach(() => account.create('shop'))

  it('is written and read with its references, under a name with a slash', async () => {
    const path = `${base}/repositories/shop/branches/release%2F1.0%20%23`
    const body = {
      name: 'release/1.0 #',
      head: 'abc',
      syncTime: now,
      updateSequenceId: 3,
      commitTime: now - 5,
      references,
    }
    const response = await account.send('PUT', path, body)
    expect(response.status).toBe(200)
    const { references: none, ...summary } = bodyOf(response)
    expect(none).toBeUndefined()
    expect(summary).toEqual({
      _links: {
        self: { href: path, type: 'application/json' },
        parent: { href: `${base}/repositories/shop/branches`, type: 'application/json' },
        repository: { href: `${base}/repositories/shop`, type: 'application/json' },
      },
      name: 'release/1.0 #',
      head: 'abc',
      updateSequenceId: 3,
      syncTime: String(now),
      commitTime: String(now - 5),
    })
    expect(bodyOf(await account.send('GET', path))).toEqual({ ...summary, references })
    expect((await account.send('GET', path)).headers.etag).toBe('"1"')
    expect(bodyOf(await account.send('GET', `${base}/repositories/shop/branches`))).toMatchObject({
      totalCount: 1,
      items: [summary],
    })
  })

  it('can be read with the references to one project or flag only', async () => {
    await account.put({ repo: 'shop', branch: 'main' }, references)
    const referencesOf = async (query: object) =>
      (await account.engine.api.getBranch({ repo: 'shop', branch: 'main', ...query }, admin)).references
    expect(await referencesOf({ projKey: 'mobile' })).toEqual([
      { path: 'src/one.ts', hint: 'ts', hunks: [hunk('mobile', 'a', 3)] },
    ])
    expect(await referencesOf({ flagKey: 'b' })).toEqual([{ path: 'src/two.ts', hunks: [hunk('web', 'b', 4)] }])
    expect(await referencesOf({ projKey: 'mobile', flagKey: 'b' })).toEqual([])
  })

  it('rejects scans with a number that is not greater than the stored one', async () => {
    await account.put({ repo: 'shop', branch: 'main' }, references, { updateSequenceId: 5 })
    const conflict = {
      code: 'updateSequenceId_conflict',
      status: 409,
      message: 'A scan with this updateSequenceId or a later one is stored already',
    }
    for (const updateSequenceId of [4, 5]) {
      await expect(account.put({ repo: 'shop', branch: 'main' }, [], { updateSequenceId })).rejects.toMatchObject(
        conflict,
      )
    }
    expect(Object.keys(await account.counts('web'))).toEqual(['a', 'b'])
    await account.put({ repo: 'shop', branch: 'main' }, [], { updateSequenceId: 6 })
    expect(await account.counts('web')).toEqual({})
  })

  it('keeps its number when a scan has no number, but loses it when it is deleted', async () => {
    await account.put({ repo: 'shop', branch: 'main' }, [], { updateSequenceId: 5 })
    await account.put({ repo: 'shop', branch: 'main' }, references)
    const earlier = () => account.put({ repo: 'shop', branch: 'main' }, [], { updateSequenceId: 4 })
    await expect(earlier()).rejects.toMatchObject({ code: 'updateSequenceId_conflict' })
    await account.engine.api.deleteBranches({ repo: 'shop', body: ['main'] }, admin)
    expect(await earlier()).toMatchObject({ updateSequenceId: 4 })
  })

  it('respects If-Match', async () => {
    await account.put({ repo: 'shop', branch: 'main' }, references)
    const put = (ifMatch: string) => account.put({ repo: 'shop', branch: 'main' }, [], {}, { ...admin, ifMatch })
    await expect(put('"2"')).rejects.toMatchObject({ code: 'optimistic_locking_error' })
    await put('"1"')
    expect(await account.counts('web')).toEqual({})
  })

  it('is listed with all others by default', async () => {
    const names = Array.from({ length: 101 }, (_, i) => `b${String(i).padStart(3, '0')}`)
    for (const name of names) await account.put({ repo: 'shop', branch: name }, [])
    const listBranches = async (page: object) => {
      const { items, totalCount } = await account.engine.api.listBranches({ repo: 'shop', ...page }, admin)
      return { names: items.map((branch) => branch.name), totalCount }
    }
    expect(await listBranches({})).toEqual({ names, totalCount: 101 })
    expect(await listBranches({ limit: 2, offset: 3 })).toEqual({ names: ['b003', 'b004'], totalCount: 101 })
  })

  it('accepts bodies larger than 1 MiB, but not larger than 40 MiB', async () => {
    const send = (bytes: number) => {
      const [first] = references
      const lines = 'x'.repeat(bytes)
      const largeReferences = [{ ...first, hunks: [{ ...hunk('web', 'a'), lines }] }]
      const text = JSON.stringify({ name: 'main', head: 'abc', syncTime: now, references: largeReferences })
      return account.engine.handle({
        ...engineRequest('PUT', `${base}/repositories/shop/branches/main`, undefined, {
          authorization: 'a-token-for-this-test',
        }),
        body: { kind: 'unread', text: async (limit) => (text.length > limit ? undefined : text), async *chunks() {} },
      })
    }
    expect((await send(2 * 1024 * 1024)).status).toBe(200)
    expect((await send(40 * 1024 * 1024)).status).toBe(413)
  })

  it.each([
    [{ name: 'other' }, 'name'],
    [{ head: '' }, 'head'],
    [{ head: undefined }, 'head'],
    [{ syncTime: undefined }, 'syncTime'],
    [{ updateSequenceId: -1 }, 'updateSequenceId'],
    [{ commitTime: 'yesterday' }, 'commitTime'],
    [{ references: [{ path: '', hunks: [] }] }, 'references.0.path'],
    [
      { references: [{ path: 'x', hunks: [{ ...hunk('web', 'a'), startingLineNumber: 1.5 }] }] },
      'references.0.hunks.0.startingLineNumber',
    ],
    [{ references: [{ path: 'x', hunks: [hunk('web', 'a b')] }] }, 'references.0.hunks.0.flagKey'],
    [{ references: [{ path: 'x', hunks: [{ flagKey: 'a', startingLineNumber: 1 }] }] }, 'references.0.hunks.0.projKey'],
    [{ references: [{ path: 'x', hunks: Array.from({ length: 1001 }, (_, i) => hunk(`p${i}`, 'a')) }] }, 'references'],
  ])('is rejected when the body has %j', async (invalid, attribute) => {
    const body = { name: 'main', head: 'abc', syncTime: now, references: [], ...invalid }
    const response = await account.send('PUT', `${base}/repositories/shop/branches/main`, body)
    expect(response.status).toBe(400)
    expect(bodyOf(response)).toMatchObject({ code: 'invalid_request', errors: [{ attribute }] })
  })

  it('is deleted by a task, together with others and its statistics', async () => {
    for (const name of ['main', 'one', 'two']) await account.put({ repo: 'shop', branch: name }, references)
    const response = await account.send('POST', `${base}/repositories/shop/branch-delete-tasks`, [
      'one',
      'main',
      'never',
      'one',
    ])
    expect(response).toMatchObject({ status: 200, body: undefined })
    const { items } = await account.engine.api.listBranches({ repo: 'shop' }, admin)
    expect(items.map((branch) => branch.name)).toEqual(['two'])
    expect(await account.counts('web')).toEqual({})
    await expect(account.engine.api.getBranch({ repo: 'shop', branch: 'one' }, admin)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('has no statistics after it was deleted while it became the default branch', async () => {
    const body = [{ op: 'replace', path: '/defaultBranch', value: 'next' }]
    const outcomes = new Set<string>()
    // The two calls start at a distance of up to a hundred turns of the event loop, in either order.
    for (let turns = -100; turns <= 20; turns++) {
      const repo = `r${turns + 100}`
      await account.create(repo)
      await account.put({ repo, branch: 'next' }, references)
      const [deletion, change] = await Promise.allSettled([
        waitTurns(-turns).then(() => account.engine.api.deleteBranches({ repo, body: ['next'] }, admin)),
        waitTurns(turns).then(() => account.engine.api.patchRepository({ repo, body }, admin)),
      ])
      outcomes.add(`${deletion.status} ${change.status}`)
      const { totalCount } = await account.engine.api.listBranches({ repo }, admin)
      const { defaultBranch } = await account.engine.api.getRepository({ repo }, admin)
      const isCounted = Object.values(await account.counts('mobile')).some((branch) => repo in branch)
      expect(isCounted).toBe(totalCount === 1 && defaultBranch === 'next')
    }
    expect([...outcomes]).toEqual(['fulfilled fulfilled'])
  })
})

async function waitTurns(turns: number): Promise<void> {
  for (let i = 0; i < turns; i++) await Promise.resolve()
}
