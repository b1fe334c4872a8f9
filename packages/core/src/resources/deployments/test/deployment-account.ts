import { createMemoryStorage } from '@halyard/storage-memory'
import { beforeEach, expect } from 'vitest'
import type { CallInput } from '../../../entries/operations.ts'
import { createEngine } from '../../../index.ts'
import type { createDeploymentEvent } from '../create-deployment-event.ts'

/** What the clock of these tests says: the last minute of a leap day. */
export const now = Date.UTC(2028, 1, 29, 23, 59)

/** In milliseconds. */
export const minute = 60_000

export const admin = { as: { role: 'admin' } } as const

/** Where deployments are told of, unless a test names another place. */
export const place = { projectKey: 'web', environmentKey: 'production' }

/** The path above all operations of engineering insights. */
export const base = '/api/v2/engineering-insights'

/** The body by which a deployment is told of. */
export type DeploymentEvent = CallInput<typeof createDeploymentEvent>['body']

export type DeploymentAccount = Awaited<ReturnType<typeof deploymentAccount>>

/** The account of the test that runs, in files that call `accountForEachTest`. */
export let account: DeploymentAccount

/** Gives each test of the file an account of its own. */
export function accountForEachTest(): void {
  beforeEach(async () => {
    account = await deploymentAccount()
  })
}

/** An account with the projects `web` and `other`, and short ways to tell of deployments and to see them. */
export async function deploymentAccount(storage = createMemoryStorage()) {
  const engine = createEngine({ storage, clock: () => now })
  const { api } = engine
  const token = 'a-token-for-this-test'
  await engine.bootstrap({ token })
  await api.createProject({ body: { key: 'web', name: 'Web' } }, admin)
  await api.createProject({ body: { key: 'other', name: 'Other' } }, admin)
  const list = (query: object = {}) => api.listDeployments({ ...place, ...query }, admin)

  return {
    api,
    list,
    tell(eventType: DeploymentEvent['eventType'], eventTime: number | undefined, more: Partial<DeploymentEvent> = {}) {
      const body: DeploymentEvent = {
        ...place,
        applicationKey: 'shop',
        version: '1.0.0',
        eventType,
        eventTime,
        ...more,
      }
      return api.createDeploymentEvent({ body }, admin)
    },
    /** The one deployment that there is in production. */
    async only() {
      const { items, totalCount } = await list()
      expect(totalCount).toBe(1)
      return items[0] as (typeof items)[number]
    },
    ask(
      method: string,
      path: string,
      { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
    ) {
      const all: Record<string, string> = { authorization: token, 'svc-api-version': 'beta', ...headers }
      const [pathname = '', query = ''] = path.split('?')
      return engine.handle({
        method,
        path: pathname,
        query,
        header: (name) => all[name],
        body: { kind: 'parsed', value: body },
      })
    },
  }
}
