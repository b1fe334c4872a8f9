import { createMemoryStorage } from '@halyard/storage-memory'
import type { Storage } from '../../../entries/storage.ts'
import { type ApiError, type As, createEngine } from '../../../index.ts'
import { allow } from '../../account/test/calls.ts'

export { allow } from '../../account/test/calls.ts'

export const start = Date.UTC(2028, 2, 1)
export const hour = 3_600_000
export const day = 24 * hour

export const production = { projectKey: 'web', environmentKey: 'production' }

/** Returns a caller who may view these projects and perform these actions on their groups. */
export const editor = (projects: string[], ...actions: string[]): As => ({
  policy: [
    allow(['viewProject'], projects),
    ...(actions.length > 0
      ? [
          allow(
            actions,
            projects.map((project) => `${project}:env/*:insight-group/*`),
          ),
        ]
      : []),
  ],
})

/** Returns the sorted attributes of the validation errors of a call that is rejected. */
export async function invalidAttributesOf(call: Promise<unknown>): Promise<string[]> {
  const { errors = [] } = await call.then(
    () => ({}) as Partial<ApiError>,
    (error: ApiError) => error,
  )
  return errors.map(({ attribute }) => attribute).sort()
}

/**
 * Makes a storage that records the names of the called methods. `get` and `getMany` of one turn are one database query.
 */
export function countingStorage() {
  const storage = createMemoryStorage()
  const queries: string[] = []
  const counting: Storage = {
    ...storage,
    account: (name) => {
      const account = storage.account(name)
      return new Proxy(account, {
        get: (target, property, receiver) => {
          const value: unknown = Reflect.get(target, property, receiver)
          if (typeof value !== 'function') return value
          return (...methodArguments: unknown[]) => {
            queries.push(String(property))
            return value.apply(target, methodArguments)
          }
        },
      })
    },
  }
  return { storage: counting, asked: queries }
}

export type InsightAccount = Awaited<ReturnType<typeof insightAccount>>

/** Makes an account in memory with the projects `web` and `other`. */
export async function insightAccount(storage: Storage = createMemoryStorage()) {
  let now = start
  const engine = createEngine({ storage, clock: () => now })
  const as = (await engine.bootstrap())?.token as string
  const { api } = engine
  for (const key of ['web', 'other']) await api.createProject({ body: { key, name: key } }, { as })
  return {
    engine,
    api,
    as,
    pass: (ms: number) => (now += ms),
    create: (key: string, overrides: object = {}, caller: As = as) =>
      api.createInsightGroup({ body: { key, name: key, ...production, ...overrides } }, { as: caller }),
    list: (query: object = {}, caller: As = as) => api.listInsightGroups(query, { as: caller }),
    get: (insightGroupKey: string, query: object = {}, caller: As = as) =>
      api.getInsightGroup({ insightGroupKey, ...query }, { as: caller }),
    patch: (insightGroupKey: string, body: readonly object[], caller: As = as) =>
      api.patchInsightGroup({ insightGroupKey, body: body as never }, { as: caller }),
    remove: (insightGroupKey: string, caller: As = as) => api.deleteInsightGroup({ insightGroupKey }, { as: caller }),
    scores: async (overrides: object = {}) =>
      (await api.getInsightsScores({ ...production, ...overrides }, { as })).scores,
    /** Reports a deployment that ended. */
    deployed: (eventType: 'finished' | 'failed', eventTime: number, applicationKey = 'shop') =>
      api.createDeploymentEvent(
        { body: { ...production, applicationKey, version: `v${eventTime}`, eventType, eventTime } },
        { as },
      ),
    /** Reports a change with a given lead time. */
    delivered: (deployedAt: number, ms: number, applicationKey = 'shop', environmentKeys = production) => {
      const times = { startedAt: deployedAt - ms, mergedAt: deployedAt - ms, deployedAt }
      const samples = [{ externalId: `${deployedAt} ${ms}`, applicationKey, ...times }]
      return api.createLeadTimeSamples({ body: { ...environmentKeys, samples } }, { as })
    },
    send: async (method: string, path: string, { body, query = '', headers = {} }: RequestOptions = {}) => {
      const allHeaders: Record<string, string> = { authorization: as, 'svc-api-version': 'beta', ...headers }
      const response = await engine.handle({
        method,
        path: `/api/v2/engineering-insights/insights${path}`,
        query,
        header: (name) => allHeaders[name],
        body: { kind: 'parsed', value: body },
      })
      return { status: response.status, body: JSON.parse(response.body || '{}') as Record<string, unknown> }
    },
  }
}

interface RequestOptions {
  readonly body?: unknown
  readonly query?: string
  readonly headers?: Record<string, string>
}
