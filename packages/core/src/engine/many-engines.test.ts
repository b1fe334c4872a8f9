import { createCache, createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'

const storage = createMemoryStorage()
const engineOf = (account: string, cache = createCache()) => createEngine({ storage, account, cache, rateLimit: false })

describe('the functions of `engine.api`', () => {
  it('can be listed, and each access returns the same function', () => {
    const { api, operations } = engineOf('listed')
    expect(Object.keys(api)).toEqual(operations.map(({ id }) => id))
    expect('getFlag' in api).toBe(true)
    expect(api.getFlag).toBe(api.getFlag)
    expect({ ...api }.getFlag).toBe(api.getFlag)
  })

  it('call the engine that they belong to', async () => {
    const [first, second] = [engineOf('first'), engineOf('second')]
    await first.api.createProject({ body: { key: 'p', name: 'P' } }, { as: { role: 'admin' } })
    const list = async (engine: typeof first) => (await engine.api.listProjects({}, { as: { role: 'admin' } })).items
    expect(await list(first)).toHaveLength(1)
    expect(await list(second)).toHaveLength(0)
  })

  it('cannot be replaced, because all engines share the table of operations', () => {
    const { api } = engineOf('replaced')
    expect(() => Object.assign(api, { getFlag: () => {} })).toThrow(TypeError)
    expect(Reflect.deleteProperty(api, 'getFlag')).toBe(false)
    expect(Object.keys(api)).toContain('getFlag')
    expect((api as Record<string, unknown>).toString).toBeUndefined()
  })
})

describe('engines that share one cache', () => {
  it('share its limits, and serve only their own responses', async () => {
    const cache = createCache({ responses: 100_000 })
    const request = (token: string) => ({
      method: 'GET',
      path: '/api/v2/projects',
      query: '',
      header: (name: string) => (name === 'authorization' ? token : undefined),
      body: { kind: 'parsed' as const, value: undefined },
    })
    const engines = ['one', 'two'].map((account) => engineOf(account, cache))
    for (const [i, engine] of engines.entries()) {
      const token = (await engine.bootstrap())?.token as string
      await engine.api.createProject({ body: { key: `p${i}`, name: 'P' } }, { as: token })
      for (let time = 0; time < 2; time++) {
        const { status, body } = await engine.handle(request(token))
        expect([status, String(body).includes(`"p${i}"`)]).toEqual([200, true])
      }
      expect(engine.cacheStats().responses).toMatchObject({ hits: 1, entries: 1 })
    }
  })

  it('refuse a negative limit', () => {
    expect(() => createCache({ responses: -1 })).toThrow(RangeError)
  })
})
