import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../index.ts'
import type { Storage } from '../../storage/port.ts'

const as = { role: 'owner' } as const
const shop = { projectKey: 'web' }
const production = { projectKey: 'web', environmentKey: 'production' }
const ann = { kind: 'user', key: 'ann' }

/** Creates the project Web with the flag Checkout, which is off. */
async function web() {
  let now = Date.UTC(2026, 0, 31, 12)
  const storage = createMemoryStorage()
  const engine = createEngine({ storage, clock: () => now++ })
  await engine.bootstrap()
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  await engine.api.createFlag({ ...shop, body: { key: 'checkout', name: 'Checkout' } }, { as })
  const wait = (ms: number) => {
    now += ms
  }
  return { engine, storage, wait }
}

const turnOn = (flagKey: string) => ({
  ...shop,
  flagKey,
  body: { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] },
})

/** Returns the number of rows of the branches of an account, and of the list of its branches. */
async function rowsOfBranches(storage: Storage, names: readonly string[]): Promise<number> {
  const hash = Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode('default'))).toString('hex')
  const accounts = names.map((name) => `halyard-branch:${hash}:${name}`)
  let rows = 0
  for (const account of [...accounts, `halyard-branches:${hash}`]) {
    for await (const records of storage.account(account).dump()) rows += records.length
  }
  return rows
}

describe('engine.branch', () => {
  it('shows changes of the branch in the branch only, in operations and in evaluation', async () => {
    const { engine } = await web()
    const branch = await engine.branch('pr-1')
    await branch.api.createFlag({ ...shop, body: { key: 'new', name: 'New' } }, { as })
    await branch.api.patchFlag(turnOn('new') as never, { as })
    await branch.evaluator(production).ready()
    await engine.evaluator(production).ready()
    const keys = async (of: typeof engine) => (await of.api.listFlags(shop, { as })).items.map(({ key }) => key)
    expect([await keys(branch), await keys(engine)]).toEqual([['checkout', 'new'].sort(), ['checkout']])
    expect(branch.evaluate('new', ann, false, production).value).toBe(true)
    expect(engine.evaluate('new', ann, false, production).reason.kind).toBe('ERROR')
    expect((await engine.api.getProject(shop, { as })).key).toBe('web')
  })

  it('shows later changes of the trunk in the parts that the branch has not written', async () => {
    const { engine } = await web()
    const branch = await engine.branch('pr-1')
    await branch.evaluator(production).ready()
    await engine.api.patchFlag(turnOn('checkout') as never, { as })
    expect(branch.evaluate('checkout', ann, false, production).value).toBe(true)
  })

  it('removes a flag of the trunk from the branch only', async () => {
    const { engine } = await web()
    const branch = await engine.branch('pr-1')
    await branch.api.deleteFlag({ ...shop, flagKey: 'checkout' }, { as })
    expect((await branch.api.listFlags(shop, { as })).totalCount).toBe(0)
    expect((await engine.api.listFlags(shop, { as })).totalCount).toBe(1)
  })

  it('leaves no row when it is deleted, and refuses later calls of its engine', async () => {
    const { engine, storage } = await web()
    const branch = await engine.branch('pr-1')
    await branch.api.patchFlag(turnOn('checkout') as never, { as })
    expect(await rowsOfBranches(storage, ['pr-1'])).toBeGreaterThan(3)
    expect(await engine.branches.delete('pr-1')).toBe(true)
    expect(await rowsOfBranches(storage, ['pr-1'])).toBe(0)
    await expect(branch.api.listFlags(shop, { as })).rejects.toMatchObject({ code: 'not_found' })
    await expect(branch.api.patchFlag(turnOn('checkout') as never, { as })).rejects.toMatchObject({ code: 'not_found' })
    expect(await rowsOfBranches(storage, ['pr-1'])).toBe(0)
    expect(await engine.branches.delete('pr-1')).toBe(false)
  })

  it('leaves no row after it expires and due tasks have run', async () => {
    const { engine, storage, wait } = await web()
    const branch = await engine.branch('pr-1', { expiresIn: 60_000 })
    await branch.api.patchFlag(turnOn('checkout') as never, { as })
    await engine.runDueTasks()
    expect((await engine.branches.list()).map(({ name }) => name)).toEqual(['pr-1'])
    wait(60_000)
    await engine.runDueTasks()
    expect(await engine.branches.list()).toEqual([])
    expect(await rowsOfBranches(storage, ['pr-1'])).toBe(0)
  })

  it('ends when it expires, before due tasks run: no request finds it, and its name can be used again', async () => {
    const { engine, wait } = await web()
    const branch = await engine.branch('pr-1', { expiresIn: 60_000 })
    await branch.api.patchFlag(turnOn('checkout') as never, { as })
    const token = (await engine.api.createToken({ body: { role: 'reader' } }, { as })).token ?? ''
    const status = async () => {
      const header = (name: string) => ({ authorization: token, 'halyard-branch': 'pr-1' })[name]
      const path = '/api/v2/flags/web/checkout'
      return (
        await engine.handle({ method: 'GET', path, query: '', header, body: { kind: 'parsed', value: undefined } })
      ).status
    }
    expect(await status()).toBe(200)
    wait(60_000)
    expect([await status(), await engine.branches.list()]).toEqual([404, []])
    const { documents } = await (await engine.branch('pr-1')).diff()
    expect(documents).toEqual([])
  })

  it('serves SDKs by keys of its own, through the engine of the trunk', async () => {
    const { engine } = await web()
    const branch = await engine.branch('pr-1')
    await branch.api.patchFlag(turnOn('checkout') as never, { as })
    const { sdkKey } = await branch.sdkKeys(production)
    const trunkKey = (await engine.api.getEnvironment(production, { as })).apiKey
    const isOn = async (of: typeof engine, key: string) => {
      const response = await of.sdk.handle({
        method: 'GET',
        path: '/sdk/flags/checkout',
        query: '',
        header: (name) => (name === 'authorization' ? key : undefined),
        body: { kind: 'parsed', value: undefined },
      })
      return [response?.status, JSON.parse(response?.body ?? '{}').on]
    }
    expect(await isOn(engine, sdkKey)).toEqual([200, true])
    expect(await isOn(engine, trunkKey)).toEqual([200, false])
    expect((await isOn(branch, trunkKey))[0]).toBe(401)
    expect((await isOn(engine, sdkKey.replace('pr-1', 'pr-2')))[0]).toBe(404)
  })

  it('handles a request with the header Halyard-Branch in the branch', async () => {
    const { engine } = await web()
    const branch = await engine.branch('pr-1')
    await branch.api.deleteFlag({ ...shop, flagKey: 'checkout' }, { as })
    const token = (await engine.api.createToken({ body: { role: 'reader' } }, { as: { role: 'owner' } })).token ?? ''
    const status = async (name: string | undefined) => {
      const header = (each: string) => (each === 'authorization' ? token : each === 'halyard-branch' ? name : undefined)
      const path = '/api/v2/flags/web/checkout'
      return (
        await engine.handle({ method: 'GET', path, query: '', header, body: { kind: 'parsed', value: undefined } })
      ).status
    }
    expect([await status(undefined), await status('pr-1'), await status('unknown')]).toEqual([200, 404, 404])
  })

  it('refuses invalid names and times, and branches of a branch', async () => {
    const { engine } = await web()
    for (const [name, options, attribute] of [
      ['a/b', {}, 'name'],
      ['', {}, 'name'],
      ['a', { expiresIn: 0 }, 'expiresIn'],
      ['a', { expiresIn: 365 * 86_400_000 + 1 }, 'expiresIn'],
    ] as const) {
      await expect(engine.branch(name, options)).rejects.toMatchObject({ errors: [{ attribute }] })
    }
    const branch = await engine.branch('a')
    await expect(branch.branch('b')).rejects.toMatchObject({ code: 'invalid_request' })
  })
})
