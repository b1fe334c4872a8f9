import { createMemoryStorage } from '@halyard/storage-memory'
import type { As, ValidationError } from '../../../index.ts'
import { createEngine } from '../../../index.ts'
import { engineRequest, failureOf, start } from '../../account/test/calls.ts'

export { allow, editor, failureOf, semanticPatchType, start } from '../../account/test/calls.ts'

export type AIProject = Awaited<ReturnType<typeof aiProject>>

/**
 * Makes an account in memory with the project `web`, its environments production and test, and functions that call the
 * operations of AI configs.
 */
export async function aiProject() {
  let now = start
  let ids = 0
  const storage = createMemoryStorage()
  const engine = createEngine({ storage, clock: () => now, newId: () => `id-${++ids}` })
  const owner = await engine.bootstrap({ email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' })
  if (!owner) throw new Error('the account exists already')
  const { token, memberId } = owner
  const as: As = token
  const { api } = engine
  await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  const configKeys = (configKey: string) => ({ projectKey: 'web', configKey })

  return {
    engine,
    storage,
    api,
    as,
    memberId,
    at: configKeys,
    pass: (ms: number) => (now += ms),
    create: (key: string, overrides: object = {}, caller: As = as) =>
      api.createAIConfig({ projectKey: 'web', body: { key, name: key, ...overrides } }, { as: caller }),
    get: (key: string) => api.getAIConfig(configKeys(key), { as }),
    list: (query: object = {}) => api.listAIConfigs({ projectKey: 'web', ...query }, { as }),
    patch: (key: string, body: object, caller: As = as) =>
      api.patchAIConfig({ ...configKeys(key), body }, { as: caller }),
    addVariation: (key: string, variationKey: string, overrides: object = {}, caller: As = as) =>
      api.createAIConfigVariation(
        { ...configKeys(key), body: { key: variationKey, name: variationKey, ...overrides } },
        { as: caller },
      ),
    patchVariation: (key: string, variationKey: string, body: object, caller: As = as) =>
      api.patchAIConfigVariation({ ...configKeys(key), variationKey, body }, { as: caller }),
    versions: (key: string, variationKey: string, query: object = {}) =>
      api.getAIConfigVariation({ ...configKeys(key), variationKey, ...query }, { as }),
    removeVariation: (key: string, variationKey: string, caller: As = as) =>
      api.deleteAIConfigVariation({ ...configKeys(key), variationKey }, { as: caller }),
    targeting: (key: string) => api.getAIConfigTargeting(configKeys(key), { as }),
    /** Applies instructions in an environment. Default: `production`. */
    instruct: (key: string, instructions: readonly object[], overrides: object = {}, caller: As = as) =>
      api.patchAIConfigTargeting(
        { ...configKeys(key), body: { environmentKey: 'production', ...overrides, instructions } as never },
        { as: caller },
      ),
    tool: (key: string, overrides: object = {}) =>
      api.createAITool({ projectKey: 'web', body: { key, schema: { type: 'object' }, ...overrides } }, { as }),
    modelConfig: (key: string, overrides: object = {}) =>
      api.createModelConfig({ projectKey: 'web', body: { key, name: key, id: `id of ${key}`, ...overrides } }, { as }),
    /** Returns the entries of the change log, newest first. */
    log: async () => (await api.listChangeLog({}, { as })).items,
    send: (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
      engine.handle(engineRequest(method, path, body, { authorization: token, ...headers })),
  }
}

/** Returns the validation errors of a call that must fail with `invalid_request`. */
export async function validationErrorsOf(call: Promise<unknown>): Promise<readonly ValidationError[]> {
  const { code, errors = [] } = await failureOf(call)
  if (code !== 'invalid_request' || errors.length === 0) throw new Error(JSON.stringify({ code, errors }))
  return errors
}
