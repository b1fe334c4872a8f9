import { createMemoryStorage } from '@halyard/storage-memory'
import type { As, Fault } from '../../../index.ts'
import { createEngine } from '../../../index.ts'
import { failureOf, start, wireRequest } from '../../account/test/calls.ts'

export { allow, editor, failureOf, semantic, start } from '../../account/test/calls.ts'

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
  const at = (configKey: string) => ({ projectKey: 'web', configKey })

  return {
    engine,
    api,
    as,
    memberId,
    at,
    pass: (ms: number) => (now += ms),
    create: (key: string, more: object = {}, by: As = as) =>
      api.createAIConfig({ projectKey: 'web', body: { key, name: key, ...more } }, { as: by }),
    get: (key: string) => api.getAIConfig(at(key), { as }),
    list: (query: object = {}) => api.listAIConfigs({ projectKey: 'web', ...query }, { as }),
    patch: (key: string, body: object, by: As = as) => api.patchAIConfig({ ...at(key), body }, { as: by }),
    addVariation: (key: string, variationKey: string, more: object = {}, by: As = as) =>
      api.createAIConfigVariation({ ...at(key), body: { key: variationKey, name: variationKey, ...more } }, { as: by }),
    patchVariation: (key: string, variationKey: string, body: object, by: As = as) =>
      api.patchAIConfigVariation({ ...at(key), variationKey, body }, { as: by }),
    versions: (key: string, variationKey: string, query: object = {}) =>
      api.getAIConfigVariation({ ...at(key), variationKey, ...query }, { as }),
    removeVariation: (key: string, variationKey: string, by: As = as) =>
      api.deleteAIConfigVariation({ ...at(key), variationKey }, { as: by }),
    targeting: (key: string) => api.getAIConfigTargeting(at(key), { as }),
    /** Applies instructions in an environment, by default `production`. */
    instruct: (key: string, instructions: readonly object[], more: object = {}, by: As = as) =>
      api.patchAIConfigTargeting(
        { ...at(key), body: { environmentKey: 'production', ...more, instructions } as never },
        { as: by },
      ),
    tool: (key: string, more: object = {}) =>
      api.createAITool({ projectKey: 'web', body: { key, schema: { type: 'object' }, ...more } }, { as }),
    modelConfig: (key: string, more: object = {}) =>
      api.createModelConfig({ projectKey: 'web', body: { key, name: key, id: `id of ${key}`, ...more } }, { as }),
    /** Returns the entries of the change log, newest first. */
    log: async () => (await api.listChangeLog({}, { as })).items,
    send: (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
      engine.handle(wireRequest(method, path, body, { authorization: token, ...headers })),
  }
}

/** Returns the validation errors of a call that must fail with `invalid_request`. */
export async function faultsOf(call: Promise<unknown>): Promise<readonly Fault[]> {
  const { code, errors = [] } = await failureOf(call)
  if (code !== 'invalid_request' || errors.length === 0) throw new Error(JSON.stringify({ code, errors }))
  return errors
}
