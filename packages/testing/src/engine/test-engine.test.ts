import type { Statement } from '@halyard/core/policy'
import { describe, expect, it } from 'vitest'
import { createTestEngine, type TestEngine } from '../index.ts'
import { policyCoverage } from '../policy/coverage.ts'

const flagsIn = (environment: string): Statement[] => [
  { effect: 'allow', resources: ['proj/*'], actions: ['viewProject'] },
  { effect: 'allow', resources: [`proj/web:env/${environment}:flag/*`], actions: ['updateOn'] },
]

const turnOn = (environment: string) =>
  [{ op: 'replace', path: `/environments/${environment}/on`, value: true }] as const

/** Turns the flag `checkout` on, and resolves with `done` or the code of the error. */
async function tryToTurnOn(engine: TestEngine, as: string, environment: string): Promise<string> {
  const input = { projectKey: 'web', flagKey: 'checkout', body: turnOn(environment) }
  return engine.api.patchFlag(input, { as }).then(
    () => 'done',
    (error: { code: string }) => error.code,
  )
}

async function createWebShopEngine(): Promise<TestEngine> {
  const engine = await createTestEngine()
  await engine.given.project('web')
  await engine.given.flag('web', 'checkout')
  return engine
}

describe('createTestEngine', () => {
  it('is migrated and has an administrator', async () => {
    const engine = await createTestEngine()
    await engine.ready()
    expect(await engine.bootstrap()).toBeUndefined()
    expect(await engine.api.listProjects({}, { as: engine.admin })).toMatchObject({ totalCount: 0 })
  })

  it('is deterministic and shares nothing with another test engine', async () => {
    const [engineA, engineB] = await Promise.all([createTestEngine(), createTestEngine()])
    const [first, second] = await Promise.all([engineA, engineB].map((engine) => engine.given.project('web')))
    expect(first).toEqual(second)
    expect(await engineA.given.token({ role: 'reader' })).toEqual(await engineB.given.token({ role: 'reader' }))
    await engineA.given.project('shop')
    expect(await engineB.api.listProjects({}, { as: engineB.admin })).toMatchObject({ totalCount: 1 })
  })

  it('creates distinct ids and tokens', async () => {
    const engine = await createWebShopEngine()
    const created = [await engine.given.token({ role: 'reader' }), await engine.given.token({ role: 'reader' })]
    expect(new Set([...created.map(({ token }) => token), engine.admin]).size).toBe(3)
    expect(new Set(created.map(({ _id }) => _id)).size).toBe(2)
    expect(created[0]?.token).toMatch(/^api-[0-9a-f]{64}$/)
  })

  it('has a clock that only `advance` moves', async () => {
    const engine = await createTestEngine({ now: Date.UTC(2030, 0, 1), wire: { timestamps: 'number' } })
    const before = await engine.given.token({ role: 'reader' })
    engine.advance(90_000)
    const after = await engine.given.token({ role: 'reader' })
    expect(before.creationDate).toBe(Date.UTC(2030, 0, 1))
    expect(after.creationDate).toBe(Date.UTC(2030, 0, 1) + 90_000)
    expect(engine.now()).toBe(Date.UTC(2030, 0, 1) + 90_000)
    expect(() => engine.advance(0.5)).toThrow(RangeError)
  })
})

describe('engine.given', () => {
  it('creates projects, environments, flags, segments, roles and tokens', async () => {
    const engine = await createTestEngine()
    const { given } = engine
    expect(await given.project('web', { name: 'Web shop', tags: ['shop'] })).toMatchObject({
      key: 'web',
      name: 'Web shop',
      tags: ['shop'],
    })
    expect(await given.environment('web', 'qa', { critical: true })).toMatchObject({ key: 'qa', critical: true })
    expect(await given.flag('web', 'checkout', { temporary: false })).toMatchObject({
      key: 'checkout',
      temporary: false,
    })
    expect(await given.segment('web', 'qa', 'staff', { tags: ['beta'] })).toMatchObject({
      key: 'staff',
      tags: ['beta'],
    })
    expect(await given.role('tester', flagsIn('qa'))).toMatchObject({ key: 'tester', policy: flagsIn('qa') })
    const { token } = await given.token({ customRoleIds: ['tester'] })
    expect(await tryToTurnOn(engine, token, 'qa')).toBe('done')
    expect(await tryToTurnOn(engine, token, 'test')).toBe('forbidden')
  })

  it('creates members, teams and tokens of members, which have the permissions of the teams', async () => {
    const engine = await createWebShopEngine()
    const { given } = engine
    await given.role('tester', flagsIn('test'))
    const ann = await given.member('ann@example.test', { role: 'no_access', firstName: 'Ann' })
    expect(ann).toMatchObject({ email: 'ann@example.test', firstName: 'Ann', role: 'no_access' })
    const { token } = await given.token({ role: 'admin' }, ann._id)
    expect(await tryToTurnOn(engine, token, 'test')).toBe('forbidden')
    const snapshot = engine.save()
    const settings = { memberIDs: [ann._id], customRoleKeys: ['tester'] }
    expect(await given.team('qa', settings)).toMatchObject({ key: 'qa', name: 'qa' })
    expect(await tryToTurnOn(engine, token, 'test')).toBe('done')
    expect(await tryToTurnOn(engine, token, 'production')).toBe('forbidden')
    engine.restore(snapshot)
    expect(await tryToTurnOn(engine, token, 'test')).toBe('forbidden')
  })

  it('rejects with the error of the operation', async () => {
    const { given } = await createTestEngine()
    await expect(given.flag('nowhere', 'checkout')).rejects.toMatchObject({ code: 'not_found' })
    await given.project('web')
    await expect(given.project('web')).rejects.toMatchObject({ code: 'optimistic_locking_error' })
  })
})

describe('restore', () => {
  it('restores a snapshot repeatedly', async () => {
    const engine = await createWebShopEngine()
    const snapshot = engine.save()
    const start = engine.now()
    const created: unknown[] = []
    for (const _ of [1, 2]) {
      engine.advance(60_000)
      created.push(await engine.given.flag('web', 'search'))
      created.push(await engine.given.token({ role: 'reader' }))
      engine.restore(snapshot)
      expect(engine.now()).toBe(start)
      expect(await engine.api.listFlags({ projectKey: 'web' }, { as: engine.admin })).toMatchObject({ totalCount: 1 })
    }
    expect(created.slice(0, 2)).toEqual(created.slice(2))
  })

  it('does not use cached permissions of a role when the same version has other content after the restore', async () => {
    const engine = await createWebShopEngine()
    await engine.given.role('tester', [])
    const { token } = await engine.given.token({ customRoleIds: ['tester'] })
    const snapshot = engine.save()
    const allow = (environment: string) =>
      engine.api.patchRole(
        { roleKey: 'tester', body: [{ op: 'replace', path: '/policy', value: flagsIn(environment) }] },
        { as: engine.admin },
      )

    await allow('production')
    expect(await tryToTurnOn(engine, token, 'production')).toBe('done')
    engine.restore(snapshot)
    await allow('test')
    expect(await tryToTurnOn(engine, token, 'production')).toBe('forbidden')
    expect(await tryToTurnOn(engine, token, 'test')).toBe('done')
  })

  it('does not accept a token that was created after the snapshot, and a new token with its value has its own permissions', async () => {
    const engine = await createWebShopEngine()
    const snapshot = engine.save()
    const admin = await engine.given.token({ role: 'admin' })
    expect(await tryToTurnOn(engine, admin.token, 'test')).toBe('done')
    engine.restore(snapshot)
    expect(await tryToTurnOn(engine, admin.token, 'test')).toBe('unauthorized')
    const reader = await engine.given.token({ role: 'reader' })
    expect(reader.token).toBe(admin.token)
    expect(await tryToTurnOn(engine, reader.token, 'test')).toBe('forbidden')
  })

  it('does not use cached permissions that depend on tags', async () => {
    const engine = await createWebShopEngine()
    const snapshot = engine.save()
    const policy: Statement[] = [
      { effect: 'allow', resources: ['proj/web'], actions: ['viewProject'] },
      { effect: 'allow', resources: ['proj/web:env/*:flag/*;beta'], actions: ['updateName'] },
    ]
    const rename = (value: string) =>
      engine.api
        .patchFlag(
          { projectKey: 'web', flagKey: 'checkout', body: [{ op: 'replace', path: '/name', value }] },
          { as: { policy } },
        )
        .then(
          ({ name }) => name,
          ({ code }: { code: string }) => code,
        )
    const tag = (value: string) =>
      engine.api.patchFlag(
        { projectKey: 'web', flagKey: 'checkout', body: [{ op: 'add', path: '/tags/-', value }] },
        { as: engine.admin },
      )

    await tag('beta')
    expect(await rename('Till')).toBe('Till')
    engine.restore(snapshot)
    await tag('alpha')
    expect(await rename('Till')).toBe('forbidden')
  })

  it('records the use of a token again', async () => {
    const engine = await createWebShopEngine()
    const { token, _id } = await engine.given.token({ role: 'reader' })
    const snapshot = engine.save()
    const lastUseAfterCall = async () => {
      await engine.api.listProjects({}, { as: token })
      return (await engine.api.getToken({ id: _id }, { as: engine.admin })).lastUsed
    }
    const first = await lastUseAfterCall()
    engine.restore(snapshot)
    expect(await lastUseAfterCall()).toEqual(first)
    expect(first).toBeDefined()
  })
})

it('an engine with `onDecision` reports the statements that its calls exercised', async () => {
  const role = {
    name: 'tagger',
    policy: [
      { effect: 'allow', actions: ['viewProject'], resources: ['proj/*'] },
      { effect: 'allow', actions: ['updateTags'], resources: ['proj/web'] },
      { effect: 'deny', actions: ['deleteProject'], resources: ['proj/*'] },
    ],
  } as const
  const coverage = policyCoverage(role)
  const engine = await createTestEngine({ onDecision: coverage.record })
  await engine.given.project('web')
  const as = { policy: role.policy, name: role.name }
  expect(coverage.untested().map(({ index }) => index)).toEqual([0, 1, 2])
  await engine.api.patchProject({ projectKey: 'web', body: [{ op: 'add', path: '/tags/-', value: 'x' }] }, { as })
  expect(coverage.untested().map(({ index }) => index)).toEqual([2])
  await expect(engine.api.deleteProject({ projectKey: 'web' }, { as })).rejects.toMatchObject({ code: 'forbidden' })
  expect(coverage.untested()).toEqual([])
})
