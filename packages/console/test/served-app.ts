import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type BoundApi, createEngine, type Engine, type HostIdentity } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { type Console, createConsole, type IssuerSignInOptions } from '../src/index.ts'

/** Token of the administrator of the served engine. */
export const adminToken = 'an-administrator-of-the-app'

export interface ServedApp {
  readonly origin: string
  readonly engine: Engine
  readonly console: Console
  readonly api: BoundApi
  /** Parameters of addresses of pages, by their names. */
  keys: Readonly<Record<string, string>>
  /** Returns the address at which a person is signed in once. */
  signInUrl(identity: HostIdentity): string
  /** Creates a member, and returns the id. */
  member(name: string, role: 'reader' | 'writer' | 'admin'): Promise<string>
  close(): Promise<void>
}

/** Serves an engine in memory and its console on one server. */
export async function serveApp(oidc?: IssuerSignInOptions): Promise<ServedApp> {
  const engine = createEngine({ storage: createMemoryStorage(), rateLimit: false, countEvaluations: true })
  await engine.bootstrap({ token: adminToken })
  const app = createConsole(engine, { secureCookies: false, ...(oidc ? { oidc } : {}) })
  const server = createServer(app.express)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const api = engine.as(adminToken)
  return {
    origin,
    engine,
    console: app,
    api,
    keys: {},
    signInUrl: (identity) => `${origin}${app.createSignInPath(identity)}`,
    async member(name, role) {
      const email = `${name.toLowerCase()}@example.com`
      const { items } = await api.createMembers({ body: [{ email, firstName: name, lastName: 'Tester', role }] })
      return (items[0] as { readonly _id: string })._id
    },
    async close() {
      server.close().closeAllConnections()
      await engine.close()
    },
  }
}

/** Creates the project `shop` with two segments and three flags, one of them with rules and targets. */
export async function fillApp(api: BoundApi): Promise<void> {
  await api.createProject({ body: { key: 'shop', name: 'Shop' } })
  const environment = { projectKey: 'shop', environmentKey: 'production' }
  await api.createSegment({ ...environment, body: { key: 'beta', name: 'Beta testers', tags: ['early'] } })
  await api.createSegment({ ...environment, body: { key: 'staff', name: 'Staff' } })
  await api.patchSegment({
    ...environment,
    segmentKey: 'beta',
    body: [{ op: 'replace', path: '/included', value: ['ann', 'bob'] }],
  })
  for (const [key, name, tags] of [
    ['checkout', 'New checkout', ['web', 'payment']],
    ['search', 'Better search', ['web']],
    ['banner', 'Banner', []],
  ] as const)
    await api.createFlag({ projectKey: 'shop', body: { key, name, tags: [...tags] } })
  const clause = (op: 'endsWith' | 'segmentMatch', attribute: string, values: string[]) => ({
    op,
    attribute,
    values,
    contextKind: 'user',
    negate: false,
  })
  await api.patchFlag({
    projectKey: 'shop',
    flagKey: 'search',
    body: [
      { op: 'replace', path: '/environments/production/on', value: true },
      { op: 'add', path: '/environments/production/targets', value: [{ values: ['cleo'], variation: 0 }] },
      {
        op: 'add',
        path: '/environments/production/rules',
        value: [
          { description: 'Members', clauses: [clause('segmentMatch', '', ['beta'])], variation: 0 },
          { description: 'Mail', clauses: [clause('endsWith', 'email', ['@example.com'])], variation: 1 },
        ],
      },
      { op: 'add', path: '/environments/production/prerequisites', value: [{ key: 'banner', variation: 0 }] },
    ],
  })
}
