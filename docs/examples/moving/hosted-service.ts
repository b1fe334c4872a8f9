import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler } from '@halyard/transport-fetch'

/**
 * Creates the source of the example: a service with a project of two flags, one of which is a prerequisite of the
 * other.
 */
export async function hostedService() {
  const engine = createEngine({ storage: createMemoryStorage() })
  await engine.migrate()
  const as = (await engine.bootstrap())?.token ?? ''
  const { api } = engine
  const projectKey = 'shop'
  await api.createProject({ body: { key: projectKey, name: 'Shop', tags: ['web'] } }, { as })
  await api.createFlag({ projectKey, body: { key: 'accounts', name: 'Accounts' } }, { as })
  const flag = await api.createFlag({ projectKey, body: { key: 'one-page', name: 'One page' } }, { as })
  const clause = { attribute: 'country', op: 'in', values: ['FI'], contextKind: 'user', negate: false }
  const config = {
    on: true,
    rules: [{ clauses: [clause], variation: 0 }],
    prerequisites: [{ key: 'accounts', variation: 0 }],
    fallthrough: { variation: 1 },
  }
  const body = Object.entries(config).map(([setting, value]) => {
    return { op: 'replace', path: `/environments/production/${setting}`, value }
  })
  await api.patchFlag({ projectKey, flagKey: flag.key, body }, { as })
  return { token: as, fetch: createFetchHandler(engine), close: () => engine.close() }
}
