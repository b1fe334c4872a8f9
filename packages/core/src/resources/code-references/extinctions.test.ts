import { beforeEach, describe, expect, it } from 'vitest'
import {
  admin,
  allow,
  asPolicy,
  base,
  bodyOf,
  now,
  type ReferenceAccount,
  referenceAccount,
} from './test/reference-account.ts'

let account: ReferenceAccount

beforeEach(async () => {
  account = await referenceAccount()
})

describe('extinction events', () => {
  const event = (flagKey: string, time: number, revision = 'r1', projKey = 'web') => ({
    revision,
    message: 'Remove',
    time,
    flagKey,
    projKey,
  })

  beforeEach(async () => {
    for (const name of ['one', 'two']) await account.create(name)
  })

  const createExtinctions = (repo: string, branch: string, events: ReturnType<typeof event>[]) =>
    account.send(
      'POST',
      `${base}/repositories/${repo}/branches/${encodeURIComponent(branch)}/extinction-events`,
      events,
    )

  it('are listed by flag, newest first, and stored once', async () => {
    expect(await createExtinctions('one', 'main', [event('a', now - 5), event('a', now - 9, 'r0')])).toMatchObject({
      status: 201,
      body: undefined,
    })
    await createExtinctions('one', 'main', [event('a', now - 5)])
    await createExtinctions('two', 'x/y', [event('b', now - 7)])
    expect(bodyOf(await account.send('GET', `${base}/extinctions`))).toEqual({
      _links: { self: { href: `${base}/extinctions`, type: 'application/json' } },
      items: {
        a: [
          { revision: 'r1', message: 'Remove', time: String(now - 5), flagKey: 'a', projKey: 'web' },
          { revision: 'r0', message: 'Remove', time: String(now - 9), flagKey: 'a', projKey: 'web' },
        ],
        b: [{ revision: 'r1', message: 'Remove', time: String(now - 7), flagKey: 'b', projKey: 'web' }],
      },
      totalCount: 3,
    })
  })

  it('are filtered by repository, branch, project, flag and time', async () => {
    await createExtinctions('one', 'main', [event('a', 10), event('b', 20), event('c', 30, 'r1', 'mobile')])
    await createExtinctions('one', 'dev', [event('d', 20)])
    await createExtinctions('two', 'main', [event('e', 20)])
    const flags = async (query: object) =>
      Object.keys((await account.engine.api.listExtinctions(query, admin)).items).sort()
    expect(await flags({ repoName: 'two' })).toEqual(['e'])
    expect(await flags({ branchName: 'dev' })).toEqual(['d'])
    expect(await flags({ projKey: 'mobile' })).toEqual(['c'])
    expect(await flags({ flagKey: 'b' })).toEqual(['b'])
    expect(await flags({ from: 20, to: 30 })).toEqual(['b', 'd', 'e'])
    const as = asPolicy(allow(['viewCodeReferenceRepository'], 'code-reference-repository/two'))
    expect(Object.keys((await account.engine.api.listExtinctions({}, as)).items)).toEqual(['e'])
  })

  it('are listed in pages, each once, even when many have the same time', async () => {
    const times = Array.from({ length: 1001 }, (_, i) => 500 + (i % 7))
    const events = times.map((time, i) => event(`f${i % 3}`, time, `r${i}`))
    await createExtinctions('one', 'main', events.slice(0, 1000))
    await createExtinctions('two', 'main', events.slice(1000))
    const listed: { time: unknown; revision: string }[] = []
    let next: string | undefined = `${base}/extinctions?limit=400&from=501`
    const sizes: number[] = []
    while (next !== undefined) {
      const { items, totalCount, _links } = bodyOf(await account.send('GET', next))
      const page = Object.values(items as Record<string, typeof listed>).flat()
      expect(totalCount).toBe(times.filter((time) => time >= 501).length)
      sizes.push(page.length)
      const older = Math.min(...listed.map(({ time }) => Number(time)))
      for (const { time } of page) expect(Number(time)).toBeLessThanOrEqual(older)
      listed.push(...page)
      next = _links.next?.href
    }
    expect(sizes).toEqual([400, 400, 58])
    const expected = events.filter(({ time }) => time >= 501).map(({ revision }) => revision)
    expect(listed.map(({ revision }) => revision).sort()).toEqual(expected.sort())
    const all = await account.engine.api.listExtinctions({}, admin)
    expect(Object.values(all.items).flat()).toHaveLength(1000)
    expect(all._links.next?.href).toBe(`${base}/extinctions?limit=1000&offset=1000`)
  })

  it('are the same event only if project, flag, branch and commit are the same', async () => {
    await createExtinctions('one', 'main', [event('a', 5), event('a', 6), event('a', 7, 'r1', 'mobile')])
    await createExtinctions('one', 'dev', [event('a', 8)])
    await createExtinctions('two', 'main', [event('a', 9)])
    const { items } = await account.engine.api.listExtinctions({ flagKey: 'a' }, admin)
    expect(items.a?.map(({ time }) => time)).toEqual(['9', '8', '7', '5'])
  })

  it('accept the longest names that are allowed', async () => {
    const longestEvent = { ...event('f'.repeat(256), 5, '\u{1f600}'.repeat(128), 'p'.repeat(256)), message: '' }
    expect((await createExtinctions('one', '\u{1f600}'.repeat(128), [longestEvent])).status).toBe(201)
    expect((await account.engine.api.listExtinctions({}, admin)).totalCount).toBe(1)
  })

  it('are rejected with all validation errors', async () => {
    const response = await createExtinctions('one', 'main', [{ ...event('a b', -1), revision: '' }])
    expect(response.status).toBe(400)
    const attributes = bodyOf(response).errors.map((error: { attribute: string }) => error.attribute)
    expect(attributes.sort()).toEqual(['0.flagKey', '0.revision', '0.time'])
    expect((await account.send('GET', `${base}/extinctions?from=soon`)).status).toBe(400)
  })
})
