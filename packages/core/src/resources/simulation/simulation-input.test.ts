import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { createEngineOf, flags, listFlags, simulator } from '../../entries/operations.ts'
import type { AccountStorage, Storage } from '../../entries/storage.ts'
import { createEngine } from '../../index.ts'
import { turnOn } from '../approval-requests/test/approval-project.ts'
import { failureOf, validationErrorOf } from '../flags/test/flag-project.ts'
import { ann, contexts, environmentKeys, simulatedProject } from './test/simulated-project.ts'

describe('the input of a simulation', () => {
  const flag = { ...environmentKeys, flagKey: 'f' }
  it.each<[string, object, string]>([
    ['no change', flag, 'instructions'],
    ['two changes', { ...flag, instructions: [], patch: [] }, 'patch'],
    ['no resource', { ...environmentKeys, instructions: [] }, 'flagKey'],
    ['two resources', { ...flag, segmentKey: 's', instructions: [] }, 'segmentKey'],
    ['no environment', { projectKey: 'web', flagKey: 'f', instructions: [] }, 'environmentKey'],
    ['an unknown property', { ...flag, instructions: [], contexts: [], colour: 1 }, 'colour'],
    ['invalid keys', { ...flag, flagKey: 'a b', instructions: [] }, 'flagKey'],
    ['an invalid context', { ...flag, instructions: [], contexts: [ann, { kind: 'user' }] }, 'contexts.1'],
    ['contexts that are not a list', { ...flag, instructions: [], contexts: ann }, 'contexts'],
    [
      'a scheduled change of a segment',
      { ...environmentKeys, segmentKey: 's', scheduledChangeId: 'x' },
      'scheduledChangeId',
    ],
    ['a comment for a scheduled change', { ...flag, scheduledChangeId: 'x', comment: 'why' }, 'comment'],
    ['a project for an approval request', { approvalRequestId: 'x', projectKey: 'web' }, 'projectKey'],
  ])('is rejected with the name of the property: %s', async (_, input, attribute) => {
    const { engine, as } = await shared
    expect((await validationErrorOf(engine.simulate(input as never, { as }))).attribute).toBe(attribute)
  })

  it('is limited to 1,000 contexts, or fewer when very many resources depend on the change', async () => {
    const { engine, as, account } = await simulatedProject()
    const flagWith = (count: number) => ({
      ...flag,
      instructions: [],
      contexts: Array.from({ length: count }, (_, i) => ({ kind: 'user', key: `user-${i}` })),
    })
    expect((await engine.simulate(flagWith(1_000), { as })).contexts).toHaveLength(1_000)
    expect(await validationErrorOf(engine.simulate(flagWith(1_001), { as }))).toMatchObject({ attribute: 'contexts' })
    await copyFlag(account, 'g', 1_998)
    expect((await engine.simulate(flagWith(1), { as })).flags).toHaveLength(1_999)
    expect(await validationErrorOf(engine.simulate(flagWith(501), { as }))).toMatchObject({
      attribute: 'contexts',
      reason: expect.stringContaining('at most 500 contexts'),
    })
  })
})

const shared = simulatedProject()

/** Stores copies of a flag and its configurations. */
async function copyFlag(account: AccountStorage, key: string, count: number): Promise<void> {
  for await (const records of account.dump()) {
    for (const record of records) {
      if (record.kind !== 'document' || record.id.key !== key) continue
      const { id, body, fields } = record
      const copies = Array.from({ length: count }, (_, i) => ({
        do: 'insert' as const,
        id: { ...id, key: `${key}-${i}` },
        body: { ...(body as object), ...('key' in (body as object) ? { key: `${key}-${i}` } : {}) },
        fields,
      }))
      await account.commit(copies)
    }
  }
}

describe('a simulation during concurrent changes', () => {
  /** A storage that renames the flag `f` whenever all flags are read, while `shouldRace` returns true. */
  function racingStorage(storage: Storage, shouldRace: () => boolean, rename: () => Promise<unknown>): Storage {
    const wrap = (account: AccountStorage): AccountStorage => ({
      ...account,
      async list(query) {
        if (query.collection === 'flag' && shouldRace()) await rename()
        return account.list(query)
      },
    })
    return { ...storage, account: (name) => wrap(storage.account(name)) }
  }

  it.each([
    [2, 'done'],
    [3, 'optimistic_locking_error'],
  ])('is repeated at most twice: after %s changes the outcome is %s', async (changes, expected) => {
    const { storage, as, patch } = await simulatedProject()
    let remaining = changes
    const rename = () => patch('f', [{ op: 'replace', path: '/name', value: `name ${remaining}` }])
    const engine = createEngine({ storage: racingStorage(storage, () => remaining-- > 0, rename) })
    const call = engine.simulate({ ...environmentKeys, flagKey: 'f', instructions: [turnOn], contexts } as never, {
      as,
    })
    const outcome = call.then(
      () => 'done',
      (error) => error.code,
    )
    expect(await outcome).toBe(expected)
  })
})

describe('an engine with selected operations', () => {
  const change = { ...environmentKeys, flagKey: 'f', instructions: [] }

  it('simulates the operations that it has', async () => {
    const storage = createMemoryStorage()
    const owner = { as: { role: 'owner' } } as const
    const { api } = createEngine({ storage })
    await createEngine({ storage }).bootstrap()
    await api.createProject({ body: { key: 'web', name: 'Web' } }, owner)
    await api.createFlag({ projectKey: 'web', body: { key: 'f', name: 'f' } }, owner)
    const engine = createEngineOf({ operations: flags.operations, simulator })({ storage })
    expect((await engine.simulate(change, owner)).kind).toBe('flag')
    const request = engine.simulate({ approvalRequestId: 'x' }, owner)
    expect((await failureOf(request)).message).toBe(
      'getApprovalRequest: the design of this engine does not include the operation',
    )
  })

  it('rejects simulations without a simulator', async () => {
    const engine = createEngineOf({ operations: [listFlags] })({ storage: createMemoryStorage() })
    await expect(engine.simulate(change, { as: { role: 'owner' } })).rejects.toThrow('made without')
  })
})
