import { createMemoryStorage } from '@halyard/storage-memory'
import type { As, EngineResponse, ValidationError } from '../../../index.ts'
import { createEngine } from '../../../index.ts'
import { engineRequest, failureOf, start } from '../../account/test/calls.ts'
import { fixedRandomHex } from '../../account/test/fixed-random.ts'

export { allow, editor, failureOf, semanticPatchType, start } from '../../account/test/calls.ts'
export { clause } from '../../targeting/test/clause.ts'

export type FlagProject = Awaited<ReturnType<typeof flagProject>>

export interface SentRequest {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const integrations = [
  { key: 'tickets', manifest: { capabilities: { flagLink: {} } } },
  { key: 'chat', manifest: { capabilities: {} } },
]

/**
 * Creates an account in memory with the team `growth`, the project `web` and its environments production and test, and
 * functions that call the operations on its flags.
 */
export async function flagProject() {
  let now = start
  let ids = 0
  const storage = createMemoryStorage()
  const engine = createEngine({
    storage,
    clock: () => now,
    newId: () => `id-${++ids}`,
    randomHex: fixedRandomHex(),
    webhooks: false,
    integrations,
  })
  const owner = await engine.bootstrap({ email: 'ada@example.com' })
  if (!owner) throw new Error('the account exists already')
  const { token, memberId } = owner
  const as: As = token
  const { api } = engine
  await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  await api.createTeam({ body: { key: 'growth', name: 'Growth' } }, { as })
  const keysOf = (flagKey: string) => ({ projectKey: 'web', flagKey })

  return {
    engine,
    api,
    storage,
    account: storage.account('default'),
    as,
    memberId,
    keysOf,
    pass: (ms: number) => (now += ms),
    create: (key: string, overrides: object = {}) =>
      api.createFlag({ projectKey: 'web', body: { key, name: key, ...overrides } }, { as }),
    get: (key: string, query: object = {}) => api.getFlag({ ...keysOf(key), ...query }, { as }),
    patch: (key: string, operations: readonly object[], caller: As = as) =>
      api.patchFlag({ ...keysOf(key), body: operations as never }, { as: caller }),
    /** Applies instructions in an environment, by default `production`. */
    instruct: (
      key: string,
      instructions: readonly object[],
      overrides: { environmentKey?: string; comment?: string } = {},
      caller: As = as,
    ) =>
      api.patchFlag(
        { ...keysOf(key), body: { environmentKey: 'production', ...overrides, instructions } as never },
        { as: caller },
      ),
    segment: (key: string, environmentKey = 'production') =>
      api.createSegment({ projectKey: 'web', environmentKey, body: { key, name: key } }, { as }),
    send: (method: string, path: string, { body, headers = {} }: SentRequest = {}): Promise<EngineResponse> =>
      engine.handle(engineRequest(method, path, body, { authorization: token, ...headers })),
  }
}

/** Returns the only validation error of a call that must fail with `invalid_request`. */
export async function validationErrorOf(call: Promise<unknown>): Promise<ValidationError> {
  const { code, errors = [] } = await failureOf(call)
  if (code !== 'invalid_request' || errors.length !== 1) throw new Error(JSON.stringify({ code, errors }))
  return errors[0] as ValidationError
}

/**
 * Waits for a number of microtask turns. A test of a race runs it with increasing numbers, to cover every interleaving.
 */
export async function awaitTurns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await undefined
}
