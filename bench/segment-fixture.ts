import { createEngine, type Engine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

export interface SegmentFixture {
  readonly engine: Engine
  /** Token of an administrator. */
  readonly token: string
  readonly keys: { readonly projectKey: string; readonly environmentKey: string; readonly segmentKey: string }
}

/**
 * Creates an engine on memory storage with one segment whose response is about 4 KB of JSON, as in real projects.
 */
export async function createSegmentFixture(): Promise<SegmentFixture> {
  const engine = createEngine({ storage: createMemoryStorage(), rateLimit: false })
  await engine.migrate()
  const token = (await engine.bootstrap())?.token as string
  const as = { token }
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  const keys = { projectKey: 'web', environmentKey: 'production', segmentKey: 'beta-users' }
  const { segmentKey, ...environmentKeys } = keys
  const body = { key: segmentKey, name: 'Beta users', description: 'People who asked for it', tags: ['beta', 'growth'] }
  await engine.api.createSegment({ ...environmentKeys, body }, { as })
  await engine.api.patchSegment(
    {
      ...keys,
      body: [
        { op: 'replace', path: '/included', value: Array.from({ length: 40 }, (_, i) => `user-${1000 + i}`) },
        { op: 'replace', path: '/excluded', value: ['user-1', 'user-2'] },
        { op: 'add', path: '/rules/-', value: { clauses: [clause('email', 'endsWith', ['@example.com'])] } },
        { op: 'add', path: '/rules/-', value: { clauses: [clause('country', 'in', ['NO', 'SE', 'DK'])] } },
      ],
    },
    { as },
  )
  return { engine, token, keys }
}

function clause(attribute: string, op: 'endsWith' | 'in', values: readonly string[]) {
  return { attribute, op, values, negate: false, contextKind: 'user' }
}
