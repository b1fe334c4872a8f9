import { createMemoryStorage } from '@halyard/storage-memory'
import type { Storage } from '../../../entries/storage.ts'
import { type ApiError, type As, createEngine } from '../../../index.ts'
import { allow } from '../../account/test/calls.ts'

export { allow } from '../../account/test/calls.ts'

export const start = Date.UTC(2026, 4, 4, 12)

export const projectKey = 'web'
export const keys = { projectKey, optimizationKey: 'tone' }

/** Returns a caller who may view the project and perform these actions on its optimizations. */
export const editor = (...actions: string[]): As => ({
  policy: [allow(['viewProject'], ['proj/web']), allow(actions, ['proj/web:agent-optimization/*'])],
})

export const runId = (n: number) => `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`

/** Returns the sorted attributes of the validation errors of a call that is rejected. */
export async function errorAttributesOf(call: Promise<unknown>): Promise<string[]> {
  const { errors = [] } = await call.then(
    () => ({}) as Partial<ApiError>,
    (error: ApiError) => error,
  )
  return errors.map(({ attribute }) => attribute).sort()
}

export type OptimizationAccount = Awaited<ReturnType<typeof optimizationAccount>>

/** Makes an account in memory with the project `web` and the optimization `tone`. */
export async function optimizationAccount(storage: Storage = createMemoryStorage()) {
  let now = start
  let ids = 0
  const newId = () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`
  const engine = createEngine({ storage, clock: () => now, newId })
  const as = (await engine.bootstrap())?.token as string
  const { api } = engine
  await api.createProject({ body: { key: projectKey, name: 'Web' } }, { as })
  await api.createAIConfig({ projectKey, body: { key: 'support', name: 'Support', mode: 'agent' } }, { as })
  const body = { key: 'tone', aiConfigKey: 'support', maxAttempts: 5, judgeModel: 'judge-1' }
  const optimization = await api.createAgentOptimization({ projectKey, body }, { as })
  const result = { agentOptimizationVersion: 1, iteration: 1, instructions: 'Be kind', userInput: 'Hello' }
  return {
    engine,
    api,
    as,
    optimization,
    /** Moves the clock forward, or backward when `ms` is negative. */
    pass: (ms: number) => (now += ms),
    post: (run: number, overrides: object = {}, caller: As = as) =>
      api.createAgentOptimizationResult(
        { ...keys, body: { ...result, runId: runId(run), ...overrides } },
        { as: caller },
      ),
    patch: (resultId: string, change: object, caller: As = as) =>
      api.patchAgentOptimizationResult({ ...keys, resultId, body: change }, { as: caller }),
    latest: (page: object = {}) => api.listAgentOptimizationResults({ ...keys, ...page }, { as }),
    all: (page: object = {}) => api.listAllAgentOptimizationResults({ ...keys, limit: 100, ...page }, { as }),
    runs: (page: object = {}) => api.listAgentOptimizationRuns({ ...keys, ...page }, { as }),
    resultsOf: (run: number, page: object = {}) =>
      api.listAgentOptimizationResultsByRunId({ ...keys, runId: runId(run), ...page }, { as }),
    deleteRun: (run: number, caller: As = as) =>
      api.deleteAgentOptimizationRun({ ...keys, runId: runId(run) }, { as: caller }),
    send: async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
      const response = await engine.handle({
        method,
        path: `/api/v2/projects/web/agent-optimizations${path}`,
        query: '',
        header: (name) => ({ authorization: as, ...headers })[name],
        body: { kind: 'parsed', value: body },
      })
      return { status: response.status, body: JSON.parse(response.body || '{}') as object }
    },
  }
}
