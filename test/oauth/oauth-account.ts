import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEngine, type Engine, type HostIdentity, type LogEntry, type RateLimitInput } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { oauthServer } from '@halyard/oauth-server'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createExpressHandler } from '@halyard/transport-express'
import { createFetchHandler } from '@halyard/transport-fetch'
import { getRequestListener } from '@hono/node-server'
// @ts-expect-error express ships no declarations of its own
import express from 'express'
import { onTestFinished } from 'vitest'

/** Returns the person whom the cookie `person` of a request names. The cookie represents the session of a host. */
function personIn(cookie: string | null | undefined): HostIdentity | undefined {
  const person = /(?:^|; )person=([^;]+)/.exec(cookie ?? '')?.[1]
  return person === undefined ? undefined : { member: person }
}

type Mount = (engine: Engine, issuer: string, onError: (error: unknown) => void) => RequestListener

/** For each transport, a function that returns a listener for an engine with an authorization server. */
export const mounts = {
  fetch: (engine, issuer, onError) => {
    const oauth = oauthServer(engine, { issuer, onError })
    const identify = ({ headers }: Request) => personIn(headers.get('cookie'))
    return getRequestListener(createFetchHandler(engine, { oauth, identify }))
  },
  'node:http': (engine, issuer, onError) => {
    const oauth = oauthServer(engine, { issuer, onError })
    return createExpressHandler(engine, { oauth, identify: ({ headers }) => personIn(headers.cookie) })
  },
  Express: (engine, issuer, onError) => {
    const oauth = oauthServer(engine, { issuer, onError })
    const parsers = [express.json(), express.urlencoded({ extended: false })]
    return express().use(
      parsers,
      createExpressHandler(engine, { oauth, identify: ({ headers }) => personIn(headers.cookie) }),
    )
  },
} as const satisfies Record<string, Mount>

/** An account with an administrator, the member bob, and an authorization server on this machine. */
export interface OAuthAccount {
  readonly engine: Engine
  readonly storage: Storage
  readonly admin: string
  /** Id of the member. */
  readonly bob: string
  readonly issuer: string
  readonly log: readonly LogEntry[]
  /** Unexpected errors of the authorization server. */
  readonly errors: readonly unknown[]
  advance(ms: number): void
}

interface AccountInput {
  readonly storage?: Storage
  readonly mount?: Mount
  /** Limits of requests. Default: no limits. */
  readonly rateLimit?: RateLimitInput | false
  readonly role?: 'no_access' | 'reader' | 'writer' | 'admin'
}

/** Serves an account until the test ends. */
export async function serveAccount({
  storage = createMemoryStorage(),
  mount = mounts['node:http'],
  role = 'writer',
  rateLimit = false,
}: AccountInput = {}): Promise<OAuthAccount> {
  let now = Date.UTC(2026, 0, 1)
  const log: LogEntry[] = []
  const errors: unknown[] = []
  const engine = createEngine({ storage, rateLimit, clock: () => now, log: (entry) => log.push(entry) })
  await engine.migrate()
  const admin = (await engine.bootstrap())?.token as string
  await engine.api.createProject({ body: { key: 'web', name: 'Web shop' } }, { as: admin })
  const created = await engine.api.createMembers({ body: [{ email: 'bob@x.io', role }] }, { as: admin })
  let listener: RequestListener = (_, response) => response.end()
  const server = createServer((request, response) => listener(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close().closeAllConnections())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  listener = mount(engine, issuer, (error) => errors.push(error))
  const bob = created.items[0]?._id as string
  return { engine, storage, admin, bob, issuer, log, errors, advance: (ms) => (now += ms) }
}

/** A registered client. */
export interface RegisteredClient {
  readonly clientId: string
  /** Undefined for a public client. */
  readonly secret: string | undefined
  readonly redirectUri: string
}

/** Registers a client as the administrator. */
export async function register(
  { engine, admin }: OAuthAccount,
  settings: { redirectUri?: string; public?: boolean; scopes?: readonly string[]; name?: string } = {},
): Promise<RegisteredClient> {
  const redirectUri = settings.redirectUri ?? 'https://app.example.com/callback'
  const body = { name: 'Deploy bot', ...settings, redirectUri }
  const { _clientId: clientId, _clientSecret: secret } = await engine.api.createOAuthClient({ body }, { as: admin })
  return { clientId, secret, redirectUri }
}
