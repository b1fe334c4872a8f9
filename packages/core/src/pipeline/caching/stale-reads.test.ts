import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../index.ts'
import { laggingStorage } from '../../storage/test/lagging-storage.ts'

const keys = { projectKey: 'web', featureFlagKey: 'f' }
const put = (path: string, value: unknown) => [{ op: 'replace', path, value }]

/** Two processes over one storage; the first has cached a flag, and its change reports can be delayed. */
async function processes() {
  const memory = createMemoryStorage()
  const ours = laggingStorage(memory)
  const here = createEngine({ storage: ours, rateLimit: false })
  const there = createEngine({ storage: laggingStorage(memory), rateLimit: false })
  const as = (await here.bootstrap())?.token as string
  await here.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  await here.api.createFlag({ projectKey: 'web', body: { key: 'f', name: 'F' } }, { as })
  const patch = (body: unknown, by: string | object = as, ifMatch?: string, engine = here) =>
    engine.api.patchFlag({ ...keys, body } as never, { as: by as string, ...(ifMatch ? { ifMatch } : {}) })
  // A patch without effect reads everything that a patch reads.
  await patch(put('/name', 'F'))
  await patch(put('/name', 'F'))
  ours.asked.length = 0
  return { here, there, as, patch, ours }
}

describe('a change of a cached document', () => {
  it('sends one request to the storage: the commit', async () => {
    const { patch, ours } = await processes()
    await patch(put('/name', 'G'))
    expect(ours.asked).toEqual(['commit'])
  })

  it('is repeated on uncached reads when another process was first, and keeps the other change', async () => {
    const { there, as, patch, ours } = await processes()
    ours.delay()
    await patch(put('/description', 'theirs'), as, undefined, there)
    expect(await patch(put('/name', 'ours'))).toMatchObject({ name: 'ours', description: 'theirs' })
    expect(ours.asked.filter((verb) => verb === 'commit')).toHaveLength(2)
    expect(await there.api.getFlag(keys, { as })).toMatchObject({ name: 'ours', description: 'theirs' })
  })

  it('is repeated on uncached reads when it changes nothing', async () => {
    const { there, as, patch, ours } = await processes()
    ours.delay()
    await patch(put('/name', 'theirs'), as, undefined, there)
    expect(await patch(put('/name', 'F'))).toMatchObject({ name: 'F' })
  })

  it('compares If-Match with the stored version, not with the cached one', async () => {
    const { there, as, patch, ours } = await processes()
    const etagOf = async () => {
      const answer = await there.handle({
        method: 'GET',
        path: '/api/v2/flags/web/f',
        query: '',
        header: (name) => (name === 'authorization' ? as : undefined),
        body: { kind: 'parsed', value: undefined },
      })
      return answer.headers.etag as string
    }
    const old = await etagOf()
    ours.delay()
    await patch(put('/name', 'theirs'), as, undefined, there)
    const fresh = await etagOf()
    await expect(patch(put('/name', 'ours'), as, old)).rejects.toMatchObject({ code: 'optimistic_locking_error' })
    expect(await patch(put('/name', 'ours'), as, fresh)).toMatchObject({ name: 'ours' })
  })

  it('is refused only for what is stored: not for a key that is free again, nor for a right that was granted', async () => {
    const { here, there, as, patch, ours } = await processes()
    await here.api.createFlag({ projectKey: 'web', body: { key: 'g', name: 'G' } }, { as })
    await here.api.getFlag({ projectKey: 'web', featureFlagKey: 'g' }, { as })
    const mayIfOurs = {
      policy: [{ effect: 'allow', actions: ['*'], resources: ['proj/*', 'proj/*;ours:env/*:flag/*'] }],
    }
    await expect(patch(put('/name', 'mine'), mayIfOurs)).rejects.toMatchObject({ code: 'forbidden' })
    ours.delay()
    await there.api.deleteFlag({ projectKey: 'web', featureFlagKey: 'g' }, { as })
    await there.api.patchProject({ projectKey: 'web', body: put('/tags', ['ours']) } as never, { as })
    expect(await here.api.createFlag({ projectKey: 'web', body: { key: 'g', name: 'New' } }, { as })).toMatchObject({
      name: 'New',
    })
    expect(await patch(put('/name', 'mine'), mayIfOurs)).toMatchObject({ name: 'mine' })
  })

  it('loses a race when it was read uncached', async () => {
    const { here, there, as, patch, ours } = await processes()
    here.clearCaches()
    ours.delay()
    const [mine, theirs] = await Promise.allSettled([
      patch(put('/name', 'ours')),
      patch(put('/name', 'theirs'), as, undefined, there),
    ])
    const lost = [mine, theirs].filter(({ status }) => status === 'rejected')
    expect(lost.length).toBeLessThanOrEqual(1)
    for (const one of lost) expect(one).toMatchObject({ reason: { code: 'optimistic_locking_error' } })
  })
})
