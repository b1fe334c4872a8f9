import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { longTests } from '../../../../../test/setup/long-tests.ts'
import { createEngine } from '../../index.ts'
import { policyKinds } from '../../vocabulary/policy-kinds.ts'
import { validateStatements } from '../policy.ts'

const actions = [...new Set(policyKinds.flatMap((kind) => kind.actions))] as readonly string[]
const known: ReadonlySet<string> = new Set(actions)
const statement = (name: string, list: 'actions' | 'notActions' = 'actions') => ({
  effect: 'allow' as const,
  resources: ['proj/*'],
  [list]: [name],
})

/** Returns texts that differ from a name by one letter: at each index, it is removed, doubled or replaced in turn. */
function mutationsOf(name: string): string[] {
  return [...name].flatMap((letter, index) => {
    const [head, tail] = [name.slice(0, index), name.slice(index + 1)]
    const all = [head + tail, head + letter + letter + tail, `${head}${letter === 'q' ? 'z' : 'q'}${tail}`]
    return longTests ? all : [all[index % all.length] as string]
  })
}

it.each(['actions', 'notActions'] as const)('every action is accepted in %s, and so is every wildcard', (list) => {
  for (const name of [...actions, '*', 'update*', '*Name', 'nothing*']) {
    expect([name, validateStatements([statement(name, list)])]).toEqual([name, []])
  }
})

it('a name that differs from an action by one letter is rejected, and the action is suggested', () => {
  for (const name of actions) {
    for (const mutation of mutationsOf(name)) {
      const errors = validateStatements([statement(mutation)])
      if (known.has(mutation) || mutation === '') continue
      expect([mutation, errors]).toEqual([
        mutation,
        [{ attribute: '[0].actions[0]', reason: expect.stringContaining(`\`${name}\``) }],
      ])
    }
  }
})

it('suggestions are limited, because each one is a comparison with all actions', () => {
  const names = Array.from({ length: 100 }, (_, index) => `updateOn${index}`)
  const reasons = validateStatements([{ ...statement('*'), actions: names }]).map(({ reason }) => reason)
  expect(reasons).toHaveLength(100)
  expect(reasons.filter((reason) => reason.includes('for example'))).toHaveLength(20)
})

describe('a policy with an unknown action', () => {
  const as = { role: 'owner' } as const
  const unknown = [{ effect: 'allow' as const, resources: ['proj/*'], actions: ['updateon'] }]
  const hook = { url: 'https://chat.example.com/', on: true, sign: false }
  async function account() {
    const storage = createMemoryStorage()
    const engine = createEngine({ storage })
    await engine.bootstrap()
    const { api } = engine
    await api.createRole({ body: { key: 'maker', name: 'Maker', policy: [statement('updateOn')] } }, { as })
    const { _id: tokenId } = await api.createToken({ body: { inlineRole: [statement('updateOn')] } }, { as })
    const { _id: hookId } = await api.createWebhook({ body: hook }, { as })
    return { api, storage: storage.account('default'), tokenId, hookId }
  }

  it('is rejected in every resource that has a policy, with the nearest action', async () => {
    const { api, hookId, tokenId } = await account()
    const replace = (property: string) => [{ op: 'replace' as const, path: `/${property}`, value: unknown }]
    const calls = {
      createRole: () => api.createRole({ body: { key: 'new', name: 'New', policy: unknown } }, { as }),
      patchRole: () => api.patchRole({ roleKey: 'maker', body: replace('policy') }, { as }),
      createToken: () => api.createToken({ body: { inlineRole: unknown } }, { as }),
      patchToken: () => api.patchToken({ id: tokenId, body: replace('inlineRole') }, { as }),
      createWebhook: () => api.createWebhook({ body: { ...hook, statements: unknown } }, { as }),
      patchWebhook: () => api.patchWebhook({ id: hookId, body: replace('statements') }, { as }),
    }
    for (const [name, call] of Object.entries(calls)) {
      const reason = await call().then(
        () => 'accepted',
        ({ errors }) => `${name} ${errors?.[0]?.reason}`,
      )
      expect(reason).toBe(`${name} [0].actions[0] must be an action, for example \`updateOn\``)
    }
  })

  it('that an earlier version stored does not prevent other patches', async () => {
    const { api, storage } = await account()
    const id = { collection: 'role', scope: '', key: 'maker' }
    const { body, version = 0 } = (await storage.get(id)) ?? {}
    const stored = { ...(body as object), policy: unknown, version: version + 1 }
    await storage.commit([{ do: 'replace', id, version, body: stored, fields: {} }])
    const rename = [{ op: 'replace' as const, path: '/name', value: 'Renamed' }]
    expect(await api.patchRole({ roleKey: 'maker', body: rename }, { as })).toMatchObject({ policy: unknown })
  })
})
