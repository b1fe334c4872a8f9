import { createEngine, type Engine } from '@halyard/core'
import type { Statement } from '@halyard/core/policy'
import type { Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler } from '@halyard/transport-fetch'
import { beforeEach, expect } from 'vitest'

export const allow = (actions: string[], ...resources: string[]): Statement => ({ effect: 'allow', actions, resources })
export const deny = (actions: string[], ...resources: string[]): Statement => ({ effect: 'deny', actions, resources })

/** Grants the right to view all projects, and nothing else. */
export const view = allow(['viewProject'], 'proj/*')

const onlyWeb = [
  allow(['*'], 'proj/web'),
  allow(['*'], 'proj/web:env/*'),
  allow(['*'], 'proj/web:env/*:flag/*', 'proj/web:env/*:segment/*', 'proj/web:env/*:deployment/*'),
]

export const patchOf = (op: string, path: string, value?: unknown) => [{ op, path, value }]

/** Creation time of the account. */
export const startTime = Date.UTC(2027, 0, 31, 23, 59)

export const semanticPatchType = 'application/json; domain-model=svc.semanticpatch'

const defaultHeaders = { 'content-type': 'application/json', 'svc-api-version': 'beta' }

export interface Attempt {
  /** Value of `Authorization`; omitted when empty. */
  readonly as?: string
  /** JSON value, or text to be sent unchanged. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface AttemptResponse {
  readonly status: number
  readonly body: unknown
  /** Body and headers as text, which must not contain secrets. */
  readonly text: string
}

const refusals: Readonly<Record<number, object>> = {
  401: { code: 'unauthorized', message: 'Invalid access token' },
  403: { code: 'forbidden', message: 'Forbidden. Access to the requested resource was denied.' },
  404: { code: 'not_found', message: 'Invalid resource identifier' },
}

/** Expects exactly the error response of docs/specification.md: a refusal reveals nothing about the resource. */
export function expectRefusal(response: AttemptResponse, status: 401 | 403 | 404): void {
  expect({ status: response.status, body: response.body }).toEqual({ status, body: refusals[status] })
}

export type AttackedAccount = Awaited<ReturnType<typeof createAttackedAccount>>

/** The account of the current test, in files that call `accountForEachTest`. */
export let account: AttackedAccount

/** Creates a new account before each test of the file. */
export function accountForEachTest(): void {
  beforeEach(async () => {
    account = await createAttackedAccount()
  })
}

/**
 * Creates an account on memory storage: the projects `web` and `secret`, each with the environments production and
 * test, the flag `checkout` and a segment `beta` in both environments. Attempts are sent as HTTP requests to the fetch
 * handler.
 */
export async function createAttackedAccount() {
  let now = startTime
  const storage = createMemoryStorage()
  const engine = createEngine({ storage, clock: () => now, rateLimit: false })
  const bootstrapResult = await engine.bootstrap({ email: 'ada@example.com' })
  const owner = bootstrapResult?.token as string
  const caller = { as: owner }
  const { api } = engine
  await fillProjects(engine, caller)

  const stored = () => everythingIn(storage)
  let expectedDocuments = await stored()

  /** Records the current documents, which attempts must not change. */
  async function takeSnapshot(): Promise<void> {
    expectedDocuments = await stored()
  }

  const tokenOf = (...inlineRole: Statement[]) => api.createToken({ body: { inlineRole, serviceToken: true } }, caller)

  async function tokenWith(...statements: Statement[]): Promise<string> {
    const { token } = await tokenOf(...statements)
    await takeSnapshot()
    return token
  }

  return {
    engine,
    api,
    owner,
    by: caller,
    tokenOf,
    send: sender(engine, owner),
    sendRaw: rawSender(engine, owner),
    setMember: (change: object | undefined) => setMember(storage, bootstrapResult?.memberId as string, change),
    remember: takeSnapshot,
    /** Creates a token with these rights and then takes the snapshot. */
    tokenWith,
    /** Creates a token that may do everything in `web` and nothing in `secret`. */
    webToken: () => tokenWith(...onlyWeb),
    expectNothingChanged: async () => expect(await stored()).toBe(expectedDocuments),
    advanceClock: (ms: number) => (now += ms),
  }
}

async function fillProjects({ api }: Engine, caller: { readonly as: string }): Promise<void> {
  for (const projectKey of ['web', 'secret']) {
    await api.createProject({ body: { key: projectKey, name: projectKey } }, caller)
    await api.createFlag({ projectKey, body: { key: 'checkout', name: 'Checkout' } }, caller)
    for (const environmentKey of ['production', 'test']) {
      await api.createSegment({ projectKey, environmentKey, body: { key: 'beta', name: 'Beta' } }, caller)
    }
  }
}

type Send = (method: string, path: string, attempt?: Attempt) => Promise<AttemptResponse>

function sender(engine: Engine, owner: string): Send {
  const fetchHandler = createFetchHandler(engine)
  return async (method, path, { as = owner, body, headers } = {}) => {
    const response = await fetchHandler(
      new Request(`https://flags.example${path}`, {
        method,
        headers: { ...(as === '' ? {} : { authorization: as }), ...defaultHeaders, ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    )
    const text = await response.text()
    const headerText = JSON.stringify([...response.headers].filter(([name]) => name !== 'x-request-id'))
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text), text: text + headerText }
  }
}

/** Sends a request directly to the engine, as a transport without URL parsing and header validation would. */
function rawSender(engine: Engine, owner: string): Send {
  return async (method, path, { as = owner, body, headers } = {}) => {
    const allHeaders: Readonly<Record<string, string>> = { authorization: as, ...defaultHeaders, ...headers }
    const [pathname = '', query = ''] = path.split('?')
    const response = await engine.handle({
      method,
      path: pathname,
      query,
      header: (name) => (Object.hasOwn(allHeaders, name) ? allHeaders[name] : undefined),
      body: { kind: 'parsed', value: body },
    })
    const text = response.body ?? ''
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text), text }
  }
}

/** Returns all stored documents except the last use of tokens: a refused attempt must leave them unchanged. */
async function everythingIn(storage: Storage): Promise<string> {
  const names = ['project', 'environment', 'flag', 'flag-config', 'segment', 'token', 'credential', 'role', 'member']
  const otherCollections = ['deployment', 'deployment-place', 'code-reference-repository', 'code-reference-statistics']
  const accountStorage = storage.account('default')
  const pages = await Promise.all(
    [...names, ...otherCollections].map((collection) =>
      accountStorage.list({ collection, scope: '', deep: true, limit: 1000, select: 'bodies' }),
    ),
  )
  return JSON.stringify(pages)
}

/** Changes the member behind all tokens directly in the storage; undefined deletes it. */
async function setMember(storage: Storage, memberId: string, change: object | undefined): Promise<void> {
  const accountStorage = storage.account('default')
  const id = { collection: 'member', scope: '', key: memberId }
  const stored = await accountStorage.get(id)
  if (!stored) throw new Error('the member of the account is missing')
  const { version } = stored
  const body = { ...(stored.body as object), ...change, version: version + 1 }
  await accountStorage.commit([
    change ? { do: 'replace', id, version, body, fields: {} } : { do: 'remove', id, version },
  ])
}
