import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../index.ts'

describe('listEnvironments', () => {
  async function projectWithEnvironments() {
    let now = 1
    const engine = createEngine({ storage: createMemoryStorage(), clock: () => now++ })
    await engine.bootstrap()
    const api = engine.as({ role: 'admin' })
    const body = (key: string, settings: object) => ({ key, name: key, color: '000000', ...settings })
    await api.createProject({
      body: { key: 'web', name: 'Web', environments: [body('live', { critical: true, tags: ['eu', 'paid'] })] },
    })
    await api.createEnvironment({ projectKey: 'web', body: body('test', { tags: ['eu'] }) })
    await api.createEnvironment({ projectKey: 'web', body: body('dev', {}) })
    return async (query: object) => {
      const { items } = await api.listEnvironments({ projectKey: 'web', ...query })
      return items.map(({ key }) => key).join(' ')
    }
  }

  it.each([
    [{}, 'dev live test'],
    [{ sort: '-name' }, 'test live dev'],
    [{ sort: 'createdOn' }, 'live test dev'],
    [{ sort: '-createdAt' }, 'dev test live'],
    [{ sort: 'critical,-name' }, 'test dev live'],
    [{ sort: '' }, 'dev live test'],
    [{ filter: 'tags:eu' }, 'live test'],
    [{ filter: 'tags:eu+paid' }, 'live'],
    [{ filter: 'query:E,tags:eu' }, 'live test'],
    [{ filter: 'query:es' }, 'test'],
    [{ filter: 'query:e', query: 'v' }, 'dev live'],
  ])('returns for %j the environments %s', async (query, expected) => {
    const list = await projectWithEnvironments()
    expect(await list(query)).toBe(expected)
  })
})
