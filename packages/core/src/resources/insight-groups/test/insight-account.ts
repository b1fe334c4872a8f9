import { createMemoryStorage } from '@halyard/storage-memory'
import type { Storage } from '../../../entries/storage.ts'
import { type ApiError, type As, createEngine } from '../../../index.ts'
import { allow } from '../../account/test/calls.ts'

export { allow } from '../../account/test/calls.ts'

export const start = Date.UTC(2028, 2, 1)
export const hour = 3_600_000
export const day = 24 * hour

export const production = { projectKey: 'web', environmentKey: 'production' }

/** Makes a caller who may view these projects and do the actions on their groups. */
export const editor = (projects: string[], ...actions: string[]): As => ({
  policy: [
    allow(['viewProject'], projects),
    ...(actions.length > 0
      ? [
          allow(
            actions,
            projects.map((one) => `${one}:env/*:insight-group/*`),
          ),
        ]
      : []),
  ],
})

/** Returns the sorted attributes of the validation errors of a call that is rejected. */
export async function faultsOf(call: Promise<unknown>): Promise<string[]> {
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
  const asked: string[] = []
  const counted: Storage = {
    ...storage,
    account: (name) => {
      const account = storage.account(name)
      return new Proxy(account, {
        get: (target, verb, self) => {
          const found: unknown = Reflect.get(target, verb, self)
          if (typeof found !== 'function') return found
          return (...given: unknown[]) => {
            asked.push(String(verb))
            return found.apply(target, given)
          }
        },
      })
    },
  }
  return { storage: counted, asked }
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
    create: (key: string, more: object = {}, by: As = as) =>
      api.createInsightGroup({ body: { key, name: key, ...production, ...more } }, { as: by }),
    list: (query: object = {}, by: As = as) => api.listInsightGroups(query, { as: by }),
    get: (insightGroupKey: string, query: object = {}, by: As = as) =>
      api.getInsightGroup({ insightGroupKey, ...query }, { as: by }),
    patch: (insightGroupKey: string, body: readonly object[], by: As = as) =>
      api.patchInsightGroup({ insightGroupKey, body: body as never }, { as: by }),
    remove: (insightGroupKey: string, by: As = as) => api.deleteInsightGroup({ insightGroupKey }, { as: by }),
    scores: async (more: object = {}) => (await api.getInsightsScores({ ...production, ...more }, { as })).scores,
    /** Reports a deployment that ended. */
    deployed: (eventType: 'finished' | 'failed', eventTime: number, applicationKey = 'shop') =>
      api.createDeploymentEvent(
        { body: { ...production, applicationKey, version: `v${eventTime}`, eventType, eventTime } },
        { as },
      ),
    /** Reports a change with a given lead time. */
    delivered: (deployedAt: number, ms: number, applicationKey = 'shop', place = production) => {
      const moments = { startedAt: deployedAt - ms, mergedAt: deployedAt - ms, deployedAt }
      const samples = [{ externalId: `${deployedAt} ${ms}`, applicationKey, ...moments }]
      return api.createLeadTimeSamples({ body: { ...place, samples } }, { as })
    },
    ask: async (method: string, path: string, { body, query = '', headers = {} }: Asked = {}) => {
      const all: Record<string, string> = { authorization: as, 'svc-api-version': 'beta', ...headers }
      const answer = await engine.handle({
        method,
        path: `/api/v2/engineering-insights/insights${path}`,
        query,
        header: (name) => all[name],
        body: { kind: 'parsed', value: body },
      })
      return { status: answer.status, body: JSON.parse(answer.body || '{}') as Record<string, unknown> }
    },
  }
}

interface Asked {
  readonly body?: unknown
  readonly query?: string
  readonly headers?: Record<string, string>
}
