import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../index.ts'
import { laggingStorage } from '../../storage/test/lagging-storage.ts'

const keys = { projectKey: 'web', flagKey: 'f' }
const replaceAt = (path: string, value: unknown) => [{ op: 'replace', path, value }]

/** Two processes over one storage; the first has cached a flag, and its change reports can be delayed. */
async function processes() {
  const memory = createMemoryStorage()
  const laggingMemory = laggingStorage(memory)
  const localEngine = createEngine({ storage: laggingMemory, rateLimit: false })
  const otherEngine = createEngine({ storage: laggingStorage(memory), rateLimit: false })
  const as = (await localEngine.bootstrap())?.token as string
  await localEngine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  await localEngine.api.createFlag({ projectKey: 'web', body: { key: 'f', name: 'F' } }, { as })
  const patch = (body: unknown, caller: string | object = as, ifMatch?: string, engine = localEngine) =>
    engine.api.patchFlag({ ...keys, body } as never, { as: caller as string, ...(ifMatch ? { ifMatch } : {}) })
  // A patch that changes nothing reads everything that a patch reads.
  await patch(replaceAt('/name', 'F'))
  await patch(replaceAt('/name', 'F'))
  laggingMemory.calls.length = 0
  return { here: localEngine, there: otherEngine, as, patch, ours: laggingMemory }
}

describe('a change of a cached document', () => {
  it('sends one request to the storage: the commit', async () => {
    const { patch, ours: laggingMemory } = await processes()
    await patch(replaceAt('/name', 'G'))
    expect(laggingMemory.calls).toEqual(['commit'])
  })

  it('runs again on uncached reads when another process changed the document first, and keeps both changes', async () => {
    const { there: otherEngine, as, patch, ours: laggingMemory } = await processes()
    laggingMemory.delay()
    await patch(replaceAt('/description', 'theirs'), as, undefined, otherEngine)
    expect(await patch(replaceAt('/name', 'ours'))).toMatchObject({ name: 'ours', description: 'theirs' })
    expect(laggingMemory.calls.filter((verb) => verb === 'commit')).toHaveLength(2)
    expect(await otherEngine.api.getFlag(keys, { as })).toMatchObject({ name: 'ours', description: 'theirs' })
  })

  it('is repeated on uncached reads when it changes nothing', async () => {
    const { there: otherEngine, as, patch, ours: laggingMemory } = await processes()
    laggingMemory.delay()
    await patch(replaceAt('/name', 'theirs'), as, undefined, otherEngine)
    expect(await patch(replaceAt('/name', 'F'))).toMatchObject({ name: 'F' })
  })

  it('compares If-Match with the stored version, not with the cached one', async () => {
    const { there: otherEngine, as, patch, ours: laggingMemory } = await processes()
    const etagOf = async () => {
      const response = await otherEngine.handle({
        method: 'GET',
        path: '/api/v2/flags/web/f',
        query: '',
        header: (name) => (name === 'authorization' ? as : undefined),
        body: { kind: 'parsed', value: undefined },
      })
      return response.headers.etag as string
    }
    const old = await etagOf()
    laggingMemory.delay()
    await patch(replaceAt('/name', 'theirs'), as, undefined, otherEngine)
    const fresh = await etagOf()
    await expect(patch(replaceAt('/name', 'ours'), as, old)).rejects.toMatchObject({ code: 'optimistic_locking_error' })
    expect(await patch(replaceAt('/name', 'ours'), as, fresh)).toMatchObject({ name: 'ours' })
  })

  it('is refused because of stored data only, not because of a cached key that is free again or a right granted since', async () => {
    const { here: localEngine, there: otherEngine, as, patch, ours: laggingMemory } = await processes()
    await localEngine.api.createFlag({ projectKey: 'web', body: { key: 'g', name: 'G' } }, { as })
    await localEngine.api.getFlag({ projectKey: 'web', flagKey: 'g' }, { as })
    const mayIfOurs = {
      policy: [{ effect: 'allow', actions: ['*'], resources: ['proj/*', 'proj/*;ours:env/*:flag/*'] }],
    }
    await expect(patch(replaceAt('/name', 'mine'), mayIfOurs)).rejects.toMatchObject({ code: 'forbidden' })
    laggingMemory.delay()
    await otherEngine.api.deleteFlag({ projectKey: 'web', flagKey: 'g' }, { as })
    await otherEngine.api.patchProject({ projectKey: 'web', body: replaceAt('/tags', ['ours']) } as never, { as })
    expect(
      await localEngine.api.createFlag({ projectKey: 'web', body: { key: 'g', name: 'New' } }, { as }),
    ).toMatchObject({
      name: 'New',
    })
    expect(await patch(replaceAt('/name', 'mine'), mayIfOurs)).toMatchObject({ name: 'mine' })
  })

  it('is rejected when another call changes the document between the uncached read and the commit', async () => {
    const { here: localEngine, there: otherEngine, as, patch, ours: laggingMemory } = await processes()
    localEngine.clearCaches()
    laggingMemory.delay()
    const [mine, theirs] = await Promise.allSettled([
      patch(replaceAt('/name', 'ours')),
      patch(replaceAt('/name', 'theirs'), as, undefined, otherEngine),
    ])
    const rejected = [mine, theirs].filter(({ status }) => status === 'rejected')
    expect(rejected.length).toBeLessThanOrEqual(1)
    for (const rejection of rejected) expect(rejection).toMatchObject({ reason: { code: 'optimistic_locking_error' } })
  })
})
