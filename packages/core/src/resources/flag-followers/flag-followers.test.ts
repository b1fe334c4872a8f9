import type { TestEngine } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import type { As, PendingChange } from '../../index.ts'
import { failureOf } from '../account/test/calls.ts'
import { checkout, followedProject, production } from './test/followed-project.ts'

/** Returns the stored documents as text; without the change log, which contains earlier states. */
async function backUpOf({ export: exported }: Pick<TestEngine, 'export'>): Promise<string> {
  let text = ''
  for await (const piece of exported()) text += piece
  return text
    .split('\n')
    .filter((line) => line.includes('"kind":"document"'))
    .join('\n')
}

describe('the followers of a flag', () => {
  it('are listed in the order in which they began to follow, as members without their rights', async () => {
    const { api, as, ann, bob, follow, pass } = await followedProject()
    await follow(bob)
    pass(1)
    await follow(ann)
    const { items, _links } = await api.getFlagFollowers(checkout, { as })
    expect(items.map(({ _id, email, firstName, lastName, role }) => [_id, email, firstName, lastName, role])).toEqual([
      [bob, 'bob@example.com', 'Bob', '', 'reader'],
      [ann, 'ann@example.com', 'Ann', 'Smith', 'reader'],
    ])
    expect(items[0]?._links.self?.href).toBe(`/api/v2/members/${bob}`)
    expect(_links.self?.href).toBe('/api/v2/projects/web/flags/checkout/environments/production/followers')
  })

  it('follow the flag in one environment only', async () => {
    const { ann, follow, followers } = await followedProject()
    await follow(ann)
    expect([await followers(), await followers({ environmentKey: 'test' })]).toEqual([[ann], []])
  })

  it('are the same after a second call, which the change log does not list', async () => {
    const { ann, bob, follow, leave, followers, newest } = await followedProject()
    await follow(bob)
    await follow(ann)
    const entry = await newest()
    await follow(ann)
    expect([await followers(), await newest()]).toEqual([[ann, bob].sort(), entry])
    await leave(ann)
    const newestEntry = await newest()
    await leave(ann)
    expect([await followers(), await newest()]).toEqual([[bob], newestEntry])
  })

  it('must be members, and the flag and the environment must exist', async () => {
    const { api, as, ann, follow, leave } = await followedProject()
    const notFound = { code: 'not_found' }
    for (const change of [follow, leave]) {
      expect(await failureOf(change('no-member'))).toMatchObject(notFound)
      expect(await failureOf(change(ann, { flagKey: 'other' }))).toMatchObject(notFound)
      expect(await failureOf(change(ann, { environmentKey: 'other' }))).toMatchObject(notFound)
    }
    expect(await failureOf(api.getFlagFollowers({ ...checkout, flagKey: 'other' }, { as }))).toMatchObject(notFound)
    const environment = { ...production, environmentKey: 'other' }
    expect(await failureOf(api.getFollowersByProjEnv(environment, { as }))).toMatchObject(notFound)
  })

  it('are at most 100', async () => {
    const { api, as, follow, followers } = await followedProject()
    const body = Array.from({ length: 50 }, (_, index) => ({ email: `m${index}@example.com` }))
    const others = body.map(({ email }) => ({ email: `other-${email}` }))
    const created = await Promise.all([body, others].map((part) => api.createMembers({ body: part }, { as })))
    const ids = created.flatMap(({ items }) => items.map(({ _id }) => _id))
    for (const id of ids) await follow(id)
    const { items } = await api.createMembers({ body: [{ email: 'last@example.com' }] }, { as })
    const message = 'A flag has at most 100 followers in an environment'
    expect(await failureOf(follow(items[0]?._id ?? ''))).toMatchObject({ code: 'invalid_request', message })
    await follow(ids[0] as string)
    expect(await followers()).toHaveLength(100)
  })

  it('are not changed by a dry run', async () => {
    const { ann, follow, followers, newest } = await followedProject()
    const entry = await newest()
    await follow(ann, { dryRun: true })
    expect([await followers(), await newest()]).toEqual([[], entry])
  })

  it('can follow an archived flag', async () => {
    const { api, as, ann, follow, followed } = await followedProject()
    const body = [{ op: 'replace', path: '/archived', value: true }] as never
    await api.patchFlag({ projectKey: 'web', flagKey: 'checkout', body }, { as })
    await follow(ann)
    expect(await followed()).toEqual([['checkout', 1]])
  })

  it('are all stored when two members begin to follow at the same time', async () => {
    const { ann, bob, cid, follow, followers } = await followedProject()
    await Promise.all([ann, bob, cid].map((id) => follow(id)))
    expect((await followers()).toSorted()).toEqual([ann, bob, cid].sort())
  })
})

describe('the followers in an environment', () => {
  it('are listed by flag, page by page, without flags that no member follows', async () => {
    const { api, as, ann, bob, follow, leave, followed } = await followedProject()
    await follow(ann, { flagKey: 'search' })
    await follow(ann)
    await follow(bob)
    await follow(ann, { environmentKey: 'test' })
    expect(await followed()).toEqual([
      ['checkout', 2],
      ['search', 1],
    ])
    expect(await followed({ limit: 1, offset: 1 })).toEqual([['search', 1]])
    await leave(ann, { flagKey: 'search' })
    expect(await followed()).toEqual([['checkout', 2]])
    const page = await api.getFollowersByProjEnv({ ...production, limit: 1 }, { as })
    expect(page.totalCount).toBe(1)
    expect(await failureOf(followed({ limit: 101 }))).toMatchObject({ errors: [{ attribute: 'limit' }] })
  })
})

describe('a reader', () => {
  it('can follow and unfollow for themselves, but not for other members', async () => {
    const { ann, bob, follow, leave, followers, reader } = await followedProject()
    await follow(ann, {}, reader(ann))
    expect(await failureOf(follow(bob, {}, reader(ann)))).toMatchObject({ code: 'forbidden' })
    await follow(bob)
    expect(await failureOf(leave(bob, {}, reader(ann)))).toMatchObject({ code: 'forbidden' })
    expect(await failureOf(follow(bob, {}, reader(ann)))).toMatchObject({ code: 'forbidden' })
    await leave(ann, {}, reader(ann))
    expect(await followers()).toEqual([bob])
  })

  it('cannot follow a flag of a project that they may not view', async () => {
    const { ann, follow } = await followedProject()
    const policy = [{ effect: 'allow', resources: ['proj/other'], actions: ['viewProject'] }] as const
    expect(await failureOf(follow(ann, {}, { policy, memberId: ann }))).toMatchObject({ code: 'forbidden' })
  })
})

it('the right to manage followers is checked on the flag in the environment', async () => {
  const { ann, follow } = await followedProject()
  const caller = (environment: string) => ({
    policy: [
      { effect: 'allow', resources: ['proj/*'], actions: ['viewProject'] },
      { effect: 'allow', resources: [`proj/web:env/${environment}:flag/checkout`], actions: ['manageFlagFollowers'] },
    ] as const,
  })
  expect(await failureOf(follow(ann, {}, caller('test')))).toMatchObject({ code: 'forbidden' })
  await follow(ann, {}, caller('production'))
})

describe('the change log', () => {
  it('records who follows which flag, with the action', async () => {
    const { ann, bob, follow, leave, newest, reader } = await followedProject()
    await follow(ann, {}, reader(ann))
    const resource = 'proj/web:env/production:flag/checkout'
    expect(await newest()).toMatchObject({
      titleVerb: 'added the follower ann@example.com to checkout in Production',
      accesses: [{ action: 'manageFlagFollowers', resource }],
      delta: [{ resource, kind: 'flag-followers', patch: [{ op: 'add', path: '/items/0', value: { _id: ann } }] }],
    })
    await follow(bob)
    await leave(ann)
    expect((await newest())?.titleVerb).toBe('removed the follower ann@example.com from checkout in Production')
  })

  it('has an entry for each follower alone, whose revert needs the same right as the call', async () => {
    const { api, as, ann, bob, follow, followers, newest, reader } = await followedProject()
    await follow(ann)
    const { _id: id = '' } = (await newest()) ?? {}
    await follow(bob)
    expect(await failureOf(api.revertChangeLogEntry({ id }, { as: reader(bob) }))).toMatchObject({ code: 'forbidden' })
    await api.revertChangeLogEntry({ id }, { as: reader(ann) })
    expect(await followers()).toEqual([bob])
    const { _id: reverted = '' } = (await newest()) ?? {}
    await api.revertChangeLogEntry({ id: reverted }, { as })
    expect((await followers()).toSorted()).toEqual([ann, bob].sort())
  })

  it('cannot make a deleted member follow again by a revert', async () => {
    const { api, as, engine, ann, bob, follow, leave, followers, newest } = await followedProject()
    await follow(ann)
    await follow(bob)
    await leave(ann)
    const { _id: id = '' } = (await newest()) ?? {}
    await api.deleteMember({ id: ann }, { as })
    await api.revertChangeLogEntry({ id }, { as })
    expect(await followers()).toEqual([bob])
    expect(await backUpOf(engine)).not.toMatch(new RegExp(`"since":{[^}]*${ann}`))
  })
})

describe('a deletion', () => {
  it('of a flag removes its followers, also for a new flag with its key; a revert restores them', async () => {
    const { api, as, engine, ann, bob, follow, followers, followed, newest } = await followedProject()
    await follow(ann)
    await follow(bob, { environmentKey: 'test' })
    await follow(bob, { flagKey: 'search' })
    await api.deleteFlag({ projectKey: 'web', flagKey: 'checkout' }, { as })
    const { _id: id = '' } = (await newest()) ?? {}
    expect(await followed()).toEqual([['search', 1]])
    await engine.given.flag('web', 'checkout')
    expect([await followers(), await followers({ environmentKey: 'test' })]).toEqual([[], []])
    await api.deleteFlag({ projectKey: 'web', flagKey: 'checkout' }, { as })
    await api.deleteMember({ id: ann }, { as })
    await api.revertChangeLogEntry({ id }, { as })
    expect([await followers(), await followers({ environmentKey: 'test' })]).toEqual([[], [bob]])
    expect(await backUpOf(engine)).not.toMatch(new RegExp(`"since":{[^}]*${ann}`))
  })

  it.each([
    [
      'a flag',
      (api: TestEngine['api'], as: string) => api.deleteFlag({ projectKey: 'web', flagKey: 'checkout' }, { as }),
    ],
    ['an environment', (api: TestEngine['api'], as: string) => api.deleteEnvironment(production, { as })],
  ])('of %s before the commit of a new follower refuses the follower', async (target, remove) => {
    let beforeCommit: (() => Promise<unknown>) | undefined
    const hook = async ({ resources }: PendingChange) => {
      if (resources[0]?.kind !== 'flag-followers') return
      const once = beforeCommit
      beforeCommit = undefined
      await once?.()
    }
    const { api, as, engine, ann, follow, followers } = await followedProject({ hooks: [{ beforeCommit: hook }] })
    beforeCommit = () => remove(api, as)
    expect(await failureOf(follow(ann))).toMatchObject({ code: 'not_found' })
    if (target === 'a flag') await engine.given.flag('web', 'checkout')
    else
      await api.createEnvironment(
        { projectKey: 'web', body: { key: 'production', name: 'x', color: '112233' } },
        { as },
      )
    expect(await followers()).toEqual([])
  })

  it('of an environment removes the followers of its flags', async () => {
    const { api, as, ann, follow, followers } = await followedProject()
    await follow(ann, { environmentKey: 'test' })
    await api.deleteEnvironment({ projectKey: 'web', environmentKey: 'test' }, { as })
    await api.createEnvironment({ projectKey: 'web', body: { key: 'test', name: 'Test', color: '112233' } }, { as })
    expect(await followers({ environmentKey: 'test' })).toEqual([])
  })

  it('of a member removes the member from the followers of flags', async () => {
    const { api, as, ann, bob, follow, followed, followers } = await followedProject()
    await follow(ann)
    await follow(bob)
    await follow(ann, { flagKey: 'search' })
    await api.deleteMember({ id: ann }, { as })
    expect([await followers(), await followed()]).toEqual([[bob], [['checkout', 1]]])
  })
})

it('an engine that reads the past returns the followers of that time', async () => {
  const { engine, as, ann, bob, follow, leave, pass } = await followedProject()
  await follow(ann)
  pass(500)
  const then = engine.now()
  pass(500)
  await follow(bob)
  await leave(ann)
  const { items } = await engine.at(then).api.getFlagFollowers(checkout, { as })
  expect(items.map(({ _id }) => _id)).toEqual([ann])
})

describe('the filter followerId of listFlags', () => {
  /** Returns the keys of the flags that match a filter. */
  async function filtered({ api }: Awaited<ReturnType<typeof followedProject>>, filter: string, as: As) {
    const { items, totalCount } = await api.listFlags({ projectKey: 'web', sort: 'key', filter }, { as })
    expect(totalCount).toBe(items.length)
    return items.map(({ key }) => key)
  }

  it('finds the flags that a member follows in any environment, each once', async () => {
    const project = await followedProject()
    const { as, ann, bob, cid, follow, leave } = project
    await follow(ann)
    await follow(ann, { environmentKey: 'test' })
    await follow(ann, { environmentKey: 'test', flagKey: 'search' })
    await follow(bob)
    expect(await filtered(project, `followerId:${ann}`, as)).toEqual(['checkout', 'search'])
    expect(await filtered(project, `followerId:${bob}`, as)).toEqual(['checkout'])
    expect(await filtered(project, `followerId:${cid}`, as)).toEqual([])
    expect(await filtered(project, `followerId:${cid}+${bob}`, as)).toEqual(['checkout'])
    expect(await filtered(project, `followerId:${ann},followerId:${bob}`, as)).toEqual(['checkout'])
    expect(await filtered(project, `followerId:${ann},key:search`, as)).toEqual(['search'])
    await leave(bob)
    expect(await filtered(project, `followerId:${bob}`, as)).toEqual([])
  })

  it('finds flags that are followed in an environment that filterEnv names', async () => {
    const project = await followedProject()
    const { as, ann, follow } = project
    await follow(ann)
    await follow(ann, { environmentKey: 'test', flagKey: 'search' })
    expect(await filtered(project, `followerId:${ann},filterEnv:production`, as)).toEqual(['checkout'])
    expect(await filtered(project, `filterEnv:test,followerId:${ann}`, as)).toEqual(['search'])
    expect(await filtered(project, `followerId:${ann},filterEnv:test+production`, as)).toEqual(['checkout', 'search'])
    expect(await filtered(project, `followerId:${ann},filterEnv:none`, as)).toEqual([])
  })

  it('finds no flag of another project', async () => {
    const project = await followedProject()
    const { engine, as, ann, follow } = project
    await engine.given.project('shop')
    await engine.given.flag('shop', 'search')
    await follow(ann, { projectKey: 'shop', flagKey: 'search' })
    expect(await filtered(project, `followerId:${ann}`, as)).toEqual([])
  })

  it('shows a reader the flags that another member follows, as getFlagFollowers does', async () => {
    const project = await followedProject()
    const { ann, bob, follow, reader } = project
    await follow(ann)
    expect(await filtered(project, `followerId:${ann}`, reader(bob))).toEqual(['checkout'])
  })

  it('can be combined with filterEnv, which alone is refused', async () => {
    const { api, as } = await followedProject()
    expect(await failureOf(api.listFlags({ projectKey: 'web', filter: 'filterEnv:test' }, { as }))).toMatchObject({
      code: 'invalid_request',
      errors: [
        {
          attribute: 'filter',
          reason: expect.stringMatching(/^must contain one of .*\bfollowerId\b.* when it contains filterEnv$/),
        },
      ],
    })
  })
})
