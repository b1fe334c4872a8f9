import { createTestEngine } from '@halyard/testing'
import { createFetchHandler } from '@halyard/transport-fetch'
import { describe, expect, it } from 'vitest'
import { unservedOperations } from '../../packages/core/src/resources/unserved-operations.ts'
import { readPublishedClient, routeOf } from './published-client.ts'

const engine = await createTestEngine()
const handler = createFetchHandler(engine)
const served = new Set(engine.operations.map(({ method, path }) => routeOf(method, path)))
const unserved = new Set(unservedOperations.map(({ method, path }) => routeOf(method, path)))

/** Fills the parameters of a path. */
const withKeys = (path: string) => path.replace(/\{\w+\}/g, 'x')

describe('the operations of the published client', () => {
  it('are each served, or listed with a reason', () => {
    const missing = readPublishedClient().operations.filter(({ route }) => !served.has(route) && !unserved.has(route))
    expect(missing.map(({ id, route }) => `${id}: ${route}`)).toEqual([])
  })
})

describe('the list of operations that are not served', () => {
  it('contains no operation that is served, and each once', () => {
    expect([...unserved].filter((route) => served.has(route))).toEqual([])
    expect(unserved.size).toBe(unservedOperations.length)
  })

  it('names operations of this engine only', () => {
    const ids = new Set(engine.operations.map(({ id }) => id))
    const namedOperations = unservedOperations.flatMap(({ reason }) =>
      [...reason.matchAll(/`(\w+)`/g)].map(([, id = '']) => id),
    )
    expect(namedOperations.length).toBeGreaterThan(0)
    expect([...new Set(namedOperations)].filter((id) => !ids.has(id) && !otherNames.has(id))).toEqual([])
  })

  it.each(unservedOperations)('$id responds with 501 and its reason', async ({ id, method, path, reason }) => {
    const response = await handler(new Request(`http://localhost${withKeys(path)}`, { method }))
    const body = { code: 'not_implemented', message: `${id} is not served: ${reason}` }
    expect([response.status, await response.json()]).toEqual([501, body])
  })
})

/** Names that do not refer to operations. */
const otherNames = new Set(['user', 'apiDocsPages', 'referrers', 'defaultClientSideAvailability'])
