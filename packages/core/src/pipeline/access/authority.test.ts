import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import type { Statement } from '../../entries/policy.ts'
import { type As, createEngine } from '../../index.ts'

/** Two environments, one of them critical, and a segment in each. */
async function account() {
  const engine = createEngine({ storage: createMemoryStorage() })
  const as: As = (await engine.bootstrap())?.token as string
  const { api } = engine
  await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  const inEnvironment = (environmentKey: string) => ({ projectKey: 'web', environmentKey, segmentKey: 'beta' })
  const [calm, critical] = [inEnvironment('test'), inEnvironment('production')]
  for (const { segmentKey, ...place } of [calm, critical]) {
    await api.createSegment({ ...place, body: { key: segmentKey, name: 'Beta' } }, { as })
  }
  const rename = (keys: typeof calm, name: string, caller: As) =>
    api.patchSegment({ ...keys, body: [{ op: 'replace', path: '/name', value: name }] }, { as: caller }).then(
      () => 'done',
      (error) => error.code,
    )
  const namingAllowed = async (keys: typeof calm, caller: As) => {
    const { _access } = await api.getSegment(keys, { as: caller })
    return _access.allowed.some((entry) => entry.action === 'updateName')
  }
  return { api, as, calm, critical, rename, namingAllowed }
}

const view: Statement = { effect: 'allow', actions: ['viewProject'], resources: ['proj/*'] }
const edit = (...resources: string[]): Statement => ({ effect: 'allow', actions: ['updateName'], resources })
const notWhereCritical: Statement = {
  effect: 'deny',
  actions: ['*'],
  resources: ['proj/*:env/*;{critical:true}:segment/*'],
}

describe('the attributes of a resource in a decision', () => {
  it('are read from the storage: a property of an environment decides about a segment in it', async () => {
    const { calm, critical, rename, namingAllowed } = await account()
    const caller = { policy: [view, edit('proj/*:env/*:segment/*'), notWhereCritical] }
    expect(await rename(calm, 'A', caller)).toBe('done')
    expect(await rename(critical, 'A', caller)).toBe('forbidden')
    expect([await namingAllowed(calm, caller), await namingAllowed(critical, caller)]).toEqual([true, false])
  })

  it('are the stored tags and properties, even when access details are cached', async () => {
    const { api, as, calm, rename, namingAllowed } = await account()
    const { segmentKey: _, ...environment } = calm
    const caller = { policy: [view, edit('proj/*:env/*:segment/*'), notWhereCritical] }
    expect(await namingAllowed(calm, caller)).toBe(true)
    for (const critical of [true, false]) {
      await api.patchEnvironment(
        { ...environment, body: [{ op: 'replace', path: '/critical', value: critical }] },
        { as },
      )
      expect(await namingAllowed(calm, caller)).toBe(!critical)
      expect(await rename(calm, `critical ${critical}`, caller)).toBe(critical ? 'forbidden' : 'done')
    }
  })

  it('include the tags of every level that a policy tests', async () => {
    const { api, as, calm, namingAllowed } = await account()
    const caller = { policy: [view, edit('proj/*;ours:env/*:segment/*;mine')] }
    const tag = (path: string) => [{ op: 'add', path: `/tags/-`, value: path }]
    expect(await namingAllowed(calm, caller)).toBe(false)
    await api.patchSegment({ ...calm, body: tag('mine') }, { as })
    expect(await namingAllowed(calm, caller)).toBe(false)
    await api.patchProject({ projectKey: 'web', body: tag('ours') }, { as })
    expect(await namingAllowed(calm, caller)).toBe(true)
  })
})

describe('a policy that the host passes', () => {
  it('applies as it was at the time of the call, even when the host changes the object afterwards', async () => {
    const { calm, rename, namingAllowed } = await account()
    const resources = ['proj/*:env/production:segment/*']
    const caller = { policy: [view, edit(...resources)] }
    expect(await rename(calm, 'A', caller)).toBe('forbidden')
    ;(caller.policy[1]!.resources as string[])[0] = 'proj/*:env/test:segment/*'
    expect(await rename(calm, 'A', caller)).toBe('done')
    expect(await namingAllowed(calm, caller)).toBe(true)
    caller.policy.pop()
    expect(await rename(calm, 'B', caller)).toBe('forbidden')
    expect(await namingAllowed(calm, caller)).toBe(false)
  })

  it('is rejected with the path of the error when it is invalid', async () => {
    const { api, calm } = await account()
    const policy = [
      view,
      { effect: 'allow', actions: ['updateName'], resources: ['proj web'] },
    ] as unknown as Statement[]
    for (let attempt = 0; attempt < 2; attempt++) {
      const call = api.getSegment(calm, { as: { policy } })
      await expect(call).rejects.toMatchObject({ code: 'invalid_request', errors: [{ attribute: expect.any(String) }] })
    }
  })

  it('appears in access details under the name that the host passes, also when another policy has the same statements', async () => {
    const { api, calm } = await account()
    const policy = [view, edit('proj/*:env/*:segment/*')]
    for (const name of ['first', 'second']) {
      const { _access } = await api.getSegment(calm, { as: { policy, name } })
      expect(_access.allowed.map((entry) => entry.reason.role_name)).toEqual([name])
    }
  })
})

it('a response in process is frozen, so that it cannot change the next one', async () => {
  const { api, calm } = await account()
  const caller = { policy: [view] }
  const { _access } = await api.getSegment(calm, { as: caller })
  expect(() => (_access.allowed as unknown[]).push('everything')).toThrow(TypeError)
  expect(() => Object.assign(_access.denied[0]!, { action: 'nothing' })).toThrow(TypeError)
  expect(await api.getSegment(calm, { as: caller }).then((segment) => segment._access.allowed)).toEqual([])
})
