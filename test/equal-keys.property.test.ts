import { type As, createEngine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { interceptStorage } from '../packages/conformance/src/operations/intercepted-storage.ts'
import { laggingStorage } from '../packages/core/src/storage/test/lagging-storage.ts'
import { createGate } from './setup/gate.ts'
import { postgresStorages } from './setup/postgres-storages.ts'

const postgres = postgresStorages()
afterAll(() => postgres.dispose())

const as: As = { role: 'owner' }
const kinds = ['flag', 'AI config', 'agent graph'] as const
type Kind = (typeof kinds)[number]

/** Each pair of different kinds, in both orders. */
const pairs = kinds.flatMap((first) => kinds.filter((kind) => kind !== first).map((second) => [first, second] as const))

/** Creates a document of one of the kinds that SDKs receive as flags, through one of two engines on a storage. */
async function twoEngines(storage: Storage, other: Storage = storage) {
  const options = { storage, rateLimit: false } as const
  const engines = [createEngine(options), createEngine({ ...options, storage: other })] as const
  await engines[0].bootstrap()
  await engines[0].api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  const create = (engine: number, kind: Kind, key: string): Promise<unknown> => {
    const { api } = engines[engine] ?? engines[0]
    const input = { projectKey: 'web', body: { key, name: key } }
    if (kind === 'flag') return api.createFlag(input, { as })
    return kind === 'AI config' ? api.createAIConfig(input, { as }) : api.createAgentGraph(input, { as })
  }
  return { engines, create }
}

/** Returns the storages of two processes that never receive each other's changes. */
function storagesOfProcesses(): readonly [Storage, Storage] {
  const memory = createMemoryStorage()
  const storages = [laggingStorage(memory), laggingStorage(memory)] as const
  for (const storage of storages) storage.delay()
  return storages
}

describe("creations by two processes that receive each other's changes late", () => {
  it('of flags, AI configs and agent graphs with one key: one succeeds, and all others are refused with 409', async () => {
    const { engines, create } = await twoEngines(...storagesOfProcesses())
    let keys = 0
    const call = fc.record({ kind: fc.constantFrom(...kinds), engine: fc.constantFrom(0, 1) })
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 2, maxLength: 5 }), fc.boolean(), async (calls, concurrent) => {
        const key = `key-${++keys}`
        const results: PromiseSettledResult<unknown>[] = []
        if (concurrent)
          results.push(...(await Promise.allSettled(calls.map((each) => create(each.engine, each.kind, key)))))
        else
          for (const each of calls) results.push(...(await Promise.allSettled([create(each.engine, each.kind, key)])))
        const statuses = results.map((result) => (result.status === 'fulfilled' ? 201 : result.reason.status))
        expect(statuses.sort()).toEqual([201, ...calls.slice(1).map(() => 409)])
      }),
      { numRuns: 60 },
    )
    for (const engine of engines) await engine.close()
  })

  it.each(['AI config', 'agent graph'] as const)(
    'refuse a flag with the key of a new %s, also after other flags',
    async (kind) => {
      const { engines, create } = await twoEngines(...storagesOfProcesses())
      for (const key of ['a', 'b', 'c', 'd']) await create(0, 'flag', key)
      await create(1, kind, 'same')
      await expect(create(0, 'flag', 'same')).rejects.toMatchObject({ status: 409 })
      await create(0, 'flag', 'e')
      for (const engine of engines) await engine.close()
    },
  )
})

describe('creations of several flags', () => {
  it('read the keys of AI configs and agent graphs once, until one is created or deleted', async () => {
    const reads: string[] = []
    const memory = createMemoryStorage()
    const storage = interceptStorage(memory, (verb, call, input) => {
      if (/get|list/.test(verb) && /"(ai-config|agent-graph)"/.test(JSON.stringify(input))) reads.push(verb)
      return call()
    })
    const { engines, create } = await twoEngines(storage)
    await create(0, 'flag', 'a')
    await create(0, 'flag', 'b')
    reads.length = 0
    for (const key of ['c', 'd', 'e']) await create(0, 'flag', key)
    expect(reads).toEqual([])
    await create(0, 'AI config', 'f')
    for (const key of ['g', 'h', 'i']) await create(0, 'flag', key)
    await expect(create(0, 'flag', 'f')).rejects.toMatchObject({ status: 409 })
    await engines[0].api.deleteAIConfig({ projectKey: 'web', configKey: 'f' }, { as })
    await create(0, 'flag', 'f')
    await engines[0].close()
  })
})

describe.each<[string, () => Promise<Storage>, number]>([
  ['memory', async () => createMemoryStorage(), 20],
  ['Postgres', () => postgres.open(), 8],
])('concurrent creations on %s', (_, open, numRuns) => {
  it('of flags, AI configs and agent graphs with one key: one succeeds, and all others are refused with 409', async () => {
    const { engines, create } = await twoEngines(await open())
    let keys = 0
    const call = fc.record({ kind: fc.constantFrom(...kinds), engine: fc.constantFrom(0, 1) })
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 2, maxLength: 4 }), async (calls) => {
        const key = `key-${++keys}`
        const results = await Promise.allSettled(calls.map(({ kind, engine }) => create(engine, kind, key)))
        const statuses = results.map((result) => (result.status === 'fulfilled' ? 201 : result.reason.status))
        expect(statuses.sort()).toEqual([201, ...calls.slice(1).map(() => 409)])
      }),
      { numRuns },
    )
    await engines[0].close()
  })

  it.each(pairs)('of %s and %s: the creation that is committed second is refused with 409', async (early, late) => {
    const storage = await open()
    const gate = createGate()
    let reachCommit = () => {}
    const reached = new Promise<void>((resolve) => {
      reachCommit = resolve
    })
    const delayedStorage = interceptStorage(storage, async (verb, call) => {
      if (verb !== 'commit') return call()
      reachCommit()
      await gate.waitUntilOpen()
      return call()
    })
    const { engines, create } = await twoEngines(storage, delayedStorage)
    const release = gate.close()
    const refused = create(1, late, 'same').catch((error: unknown) => error)
    await reached
    await create(0, early, 'same')
    release()
    expect(await refused).toMatchObject({
      status: 409,
      message: expect.stringContaining(`the ${early} with this key exists`),
    })
    await engines[0].close()
  })

  it('with different keys all succeed', async () => {
    const { engines, create } = await twoEngines(await open())
    const all = kinds.flatMap((kind, index) => [0, 1].map((engine) => create(engine, kind, `key-${index}-${engine}`)))
    await expect(Promise.all(all)).resolves.toHaveLength(6)
    await engines[0].close()
  })
})
