import { createMemoryStorage } from '@halyard/storage-memory'
import type { As, EngineResponse, Fault } from '../../../index.ts'
import { createEngine } from '../../../index.ts'
import { failureOf, start, wireRequest } from '../../account/test/calls.ts'

export { allow, editor, failureOf, semantic, start } from '../../account/test/calls.ts'
export { clause } from '../../targeting/test/clause.ts'

export type FlagProject = Awaited<ReturnType<typeof flagProject>>

export interface SentRequest {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * An account on memory with the team `growth`, the project `web`, its environments production and test, and short ways
 * to its flags.
 */
export async function flagProject() {
  let now = start
  let ids = 0
  const storage = createMemoryStorage()
  const engine = createEngine({ storage, clock: () => now, newId: () => `id-${++ids}` })
  const owner = await engine.bootstrap({ email: 'ada@example.com' })
  if (!owner) throw new Error('there was an account already')
  const { token, memberId } = owner
  const as: As = token
  const { api } = engine
  await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  await api.createTeam({ body: { key: 'growth', name: 'Growth' } }, { as })
  const keysOf = (featureFlagKey: string) => ({ projectKey: 'web', featureFlagKey })

  return {
    engine,
    api,
    storage,
    account: storage.account('default'),
    as,
    memberId,
    keysOf,
    pass: (ms: number) => (now += ms),
    create: (key: string, more: object = {}) =>
      api.createFlag({ projectKey: 'web', body: { key, name: key, ...more } }, { as }),
    get: (key: string, query: object = {}) => api.getFlag({ ...keysOf(key), ...query }, { as }),
    patch: (key: string, operations: readonly object[], by: As = as) =>
      api.patchFlag({ ...keysOf(key), body: operations as never }, { as: by }),
    /** Follows instructions in an environment, `production` unless another is named. */
    instruct: (
      key: string,
      instructions: readonly object[],
      more: { environmentKey?: string; comment?: string } = {},
      by: As = as,
    ) =>
      api.patchFlag(
        { ...keysOf(key), body: { environmentKey: 'production', ...more, instructions } as never },
        { as: by },
      ),
    segment: (key: string, environmentKey = 'production') =>
      api.createSegment({ projectKey: 'web', environmentKey, body: { key, name: key } }, { as }),
    send: (method: string, path: string, { body, headers = {} }: SentRequest = {}): Promise<EngineResponse> =>
      engine.handle(wireRequest(method, path, body, { authorization: token, ...headers })),
  }
}

/** The only fault of the invalid request that a call must end in. */
export async function faultOf(call: Promise<unknown>): Promise<Fault> {
  const { code, errors = [] } = await failureOf(call)
  if (code !== 'invalid_request' || errors.length !== 1) throw new Error(JSON.stringify({ code, errors }))
  return errors[0] as Fault
}

/** Lets what else is under way go on for so many turns: so a race is run with every lead of one over the other. */
export async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await undefined
}
