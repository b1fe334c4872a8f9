import { createMemoryStorage } from '@halyard/storage-memory'
import { beforeEach, expect } from 'vitest'
import type { CallInput } from '../../../entries/operations.ts'
import { createEngine } from '../../../index.ts'
import type { createDeploymentEvent } from '../create-deployment-event.ts'

/** Time of the clock in these tests: the last minute of a leap day. */
export const now = Date.UTC(2028, 1, 29, 23, 59)

/** Duration in milliseconds. */
export const minute = 60_000

export const admin = { as: { role: 'admin' } } as const

/** The environment of the deployments, unless a test names another. */
export const environmentKeys = { projectKey: 'web', environmentKey: 'production' }

/** Path prefix of all operations of engineering insights. */
export const base = '/api/v2/engineering-insights'

/** Request body of a deployment event. */
export type DeploymentEvent = CallInput<typeof createDeploymentEvent>['body']

export type DeploymentAccount = Awaited<ReturnType<typeof deploymentAccount>>

/** The account of the current test, in files that call `accountForEachTest`. */
export let account: DeploymentAccount

/** Creates a new account before each test of the file. */
export function accountForEachTest(): void {
  beforeEach(async () => {
    account = await deploymentAccount()
  })
}

/** Makes an account with the projects `web` and `other`, and functions that report and list deployments. */
export async function deploymentAccount(storage = createMemoryStorage()) {
  const engine = createEngine({ storage, clock: () => now })
  const { api } = engine
  const token = 'a-token-for-this-test'
  await engine.bootstrap({ token })
  await api.createProject({ body: { key: 'web', name: 'Web' } }, admin)
  await api.createProject({ body: { key: 'other', name: 'Other' } }, admin)
  const list = (query: object = {}) => api.listDeployments({ ...environmentKeys, ...query }, admin)

  return {
    api,
    list,
    report(
      eventType: DeploymentEvent['eventType'],
      eventTime: number | undefined,
      overrides: Partial<DeploymentEvent> = {},
    ) {
      const body: DeploymentEvent = {
        ...environmentKeys,
        applicationKey: 'shop',
        version: '1.0.0',
        eventType,
        eventTime,
        ...overrides,
      }
      return api.createDeploymentEvent({ body }, admin)
    },
    /** Returns the only deployment in production. */
    async onlyDeployment() {
      const { items, totalCount } = await list()
      expect(totalCount).toBe(1)
      return items[0] as (typeof items)[number]
    },
    send(
      method: string,
      path: string,
      { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
    ) {
      const allHeaders: Record<string, string> = { authorization: token, 'svc-api-version': 'beta', ...headers }
      const [pathname = '', query = ''] = path.split('?')
      return engine.handle({
        method,
        path: pathname,
        query,
        header: (name) => allHeaders[name],
        body: { kind: 'parsed', value: body },
      })
    },
  }
}
