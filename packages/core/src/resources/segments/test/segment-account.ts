import { createMemoryStorage } from '@halyard/storage-memory'
import { type As, createEngine, type EngineResponse } from '../../../index.ts'
import { allow, engineRequest, start } from '../../account/test/calls.ts'
import { clause } from '../../targeting/test/clause.ts'

export { allow, failureOf, semanticPatchType, start } from '../../account/test/calls.ts'
export { clause } from '../../targeting/test/clause.ts'

/** Keys of the environment of the segments in these tests. */
export const environmentKeys = { projectKey: 'web', environmentKey: 'production' }

export const keysOf = (segmentKey: string) => ({ ...environmentKeys, segmentKey })

/** Returns a caller who may view projects and perform these actions on segments. */
export const editor = (...actions: string[]): As => ({
  policy: [allow(['viewProject'], ['proj/*']), allow(actions, ['proj/*:env/*:segment/*'])],
})

export type SegmentAccount = Awaited<ReturnType<typeof segmentAccount>>

/**
 * Creates an account in memory with the project `web`, and functions that create and change segments in its production
 * environment.
 */
export async function segmentAccount() {
  let now = start
  let ids = 0
  const storage = createMemoryStorage()
  const engine = createEngine({ storage, clock: () => now, newId: () => `id-${++ids}` })
  const token = (await engine.bootstrap())?.token as string
  const as: As = token
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })

  const { api } = engine
  return {
    engine,
    api,
    storage: storage.account('default'),
    as,
    pass: (ms: number) => (now += ms),
    create: (key: string, overrides: object = {}) =>
      api.createSegment({ ...environmentKeys, body: { key, name: key, ...overrides } }, { as }),
    get: (key: string) => api.getSegment(keysOf(key), { as }),
    patch: (key: string, operations: readonly object[], caller: As = as) =>
      api.patchSegment({ ...keysOf(key), body: operations as never }, { as: caller }),
    instruct: (key: string, instructions: readonly object[], caller: As = as) =>
      api.patchSegment(
        { ...keysOf(key), body: { environmentKey: 'production', instructions } as never },
        { as: caller },
      ),
    /** Creates a flag with a rule that refers to the segment. */
    async target(flagKey: string, segmentKey: string) {
      const flag = { projectKey: 'web', flagKey }
      await api.createFlag({ projectKey: 'web', body: { key: flagKey, name: `Flag ${flagKey}` } }, { as })
      const [variation] = (await api.getFlag(flag, { as })).variations
      const clauses = [clause({ attribute: '', op: 'segmentMatch', values: [segmentKey] })]
      const instructions = [{ kind: 'addRule', clauses, variationId: variation?._id }]
      await api.patchFlag({ ...flag, body: { environmentKey: 'production', instructions } as never }, { as })
    },
    send: (method: string, path: string, { body, ...headers }: Record<string, unknown> = {}): Promise<EngineResponse> =>
      engine.handle(engineRequest(method, path, body, { authorization: token, ...headers })),
  }
}

export const keyList = (count: number, prefix = 'user'): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}-${i}`)
