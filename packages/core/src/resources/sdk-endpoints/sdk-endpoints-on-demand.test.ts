import { createMemoryStorage } from '@halyard/storage-memory'
import { expect, it } from 'vitest'
import { eventConsumers, sdkEndpoints as importedEndpoints } from '../../engine/sdk-parts.ts'
import {
  createEngineOf,
  createFlag,
  createProject,
  evaluators,
  getEnvironment,
  patchFlag,
  sdkEndpoints,
} from '../../entries/operations.ts'
import { engineRequest } from '../account/test/calls.ts'
import { controlled } from '../flag-evaluations/test/controlled-storage.ts'
import { sdkEndpointsOnDemand } from './sdk-endpoints-on-demand.ts'

const ann = { kind: 'user', key: 'ann' }
const keys = { projectKey: 'web', environmentKey: 'production' }
const flagKeys = { ...keys, flagKey: 'checkout' }

/** Makes an engine that counts its imports of the endpoints, of which the first ones may fail. */
async function engineOnDemand({ failures = 0 } = {}) {
  const imports = { count: 0 }
  const logged: string[] = []
  const { storage } = controlled(createMemoryStorage())
  const design = { operations: [createProject, createFlag, patchFlag, getEnvironment], evaluators }
  const engine = createEngineOf({
    ...design,
    sdkEndpoints: sdkEndpointsOnDemand(async () => {
      if (imports.count++ < failures) throw new Error('the file cannot be read')
      return { sdkEndpoints: importedEndpoints, eventConsumers }
    }),
  })({ storage, countEvaluations: true, sdk: { flushMs: 60_000 }, log: ({ event }) => void logged.push(event) })
  const as = (await engine.bootstrap())?.token as string
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  await engine.api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as })
  await engine.evaluator(keys).ready()
  return {
    engine,
    imports,
    logged,
    as,
    /** Another engine on the same storage, which contains the endpoints. */
    other: createEngineOf({ ...design, sdkEndpoints })({ storage }),
    evaluate: () => engine.evaluate('checkout', ann, true, keys),
  }
}

it('imports nothing while no SDK sends a request and nothing is evaluated', async () => {
  const { engine, imports, as } = await engineOnDemand()
  await engine.api.getEnvironment(keys, { as })
  await engine.sdk.beat()
  await engine.sdk.flush()
  expect(engine.sdk.streams()).toBe(0)
  expect(engine.sdk.handle(engineRequest('GET', '/api/v2/projects', undefined, {}))).toBeUndefined()
  engine.clearCaches()
  await engine.close()
  expect(imports.count).toBe(0)
})

it('writes the evaluations before its import, and imports once', async () => {
  const { engine, imports, evaluate } = await engineOnDemand()
  evaluate()
  await engine.sdk.flush()
  evaluate()
  await engine.sdk.flush()
  expect(await engine.sdk.evaluations(flagKeys)).toMatchObject([{ variation: 1, count: 2 }])
  expect(imports.count).toBe(1)
})

it('writes the evaluations before its import when the engine is closed', async () => {
  const { engine, other, evaluate } = await engineOnDemand()
  evaluate()
  engine.track('purchase', ann, {}, keys)
  await engine.close()
  expect(await other.sdk.evaluations(flagKeys)).toMatchObject([{ variation: 1, count: 1 }])
})

it('loses no evaluations when an import fails', async () => {
  const { engine, imports, evaluate } = await engineOnDemand({ failures: 1 })
  evaluate()
  await expect(engine.sdk.flush()).rejects.toThrow('the file cannot be read')
  evaluate()
  await engine.sdk.flush()
  expect(await engine.sdk.evaluations(flagKeys)).toMatchObject([{ variation: 1, count: 2 }])
  expect(imports.count).toBe(2)
})

it('keeps the newest 10,000 reports while the import fails, and logs each one that is lost', async () => {
  const { engine, logged, evaluate } = await engineOnDemand({ failures: 1 })
  for (let event = 0; event < 10_002; event++) engine.track('purchase', ann, {}, keys)
  expect(logged.filter((event) => event === 'events-lost')).toHaveLength(2)
  await expect(engine.sdk.flush()).rejects.toThrow('the file cannot be read')
  evaluate()
  await engine.sdk.flush()
  expect(await engine.sdk.evaluations(flagKeys)).toMatchObject([{ variation: 1, count: 1 }])
})

it('refuses an invalid event before its import', async () => {
  const { engine, imports } = await engineOnDemand()
  expect(() => engine.track('', ann, {}, keys)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  expect(imports.count).toBe(0)
})

it('responds to SDKs as the endpoints do, from the first request on', async () => {
  const { engine, imports, other, as } = await engineOnDemand()
  const { apiKey } = await engine.api.getEnvironment(keys, { as })
  const request = (path: string, key: string) => engineRequest('GET', path, undefined, { authorization: key })
  const paths = ['/sdk/latest-all', '/sdk/flags/checkout', '/sdk/flags/nothing', '/sdk/latest-all']
  for (const [path, key] of [...paths.map((each) => [each, apiKey] as const), ['/sdk/flags', 'sdk-wrong'] as const]) {
    const [ours, theirs] = await Promise.all([
      engine.sdk.handle(request(path, key)),
      other.sdk.handle(request(path, key)),
    ])
    expect({ status: ours?.status, body: ours?.body }, path).toEqual({ status: theirs?.status, body: theirs?.body })
  }
  expect(imports.count).toBe(1)
  await engine.close()
  await other.close()
})

it('refuses the requests of SDKs after the engine was closed', async () => {
  const { engine, imports } = await engineOnDemand()
  await engine.close()
  const response = await engine.sdk.handle(engineRequest('GET', '/sdk/latest-all', undefined, {}))
  expect(response?.status).toBe(503)
  expect(imports.count).toBe(0)
})
