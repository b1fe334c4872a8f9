import { type Api, createEngine, type EngineInput } from '@halyard/core'
import type { Statement } from '@halyard/core/policy'
import type { AccountStorage, Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler } from '@halyard/transport-fetch'

/** Creation time of accounts, integer Unix ms. */
export const start = Date.UTC(2026, 10, 20, 12)

/** Input of one call. */
export interface CallInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export interface SendOptions {
  /** Value of `Authorization`; omitted when empty. Default: the token of the owner. */
  readonly as?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  /** JSON value, or text to be sent unchanged. */
  readonly body?: unknown
}

export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

export type Account = Awaited<ReturnType<typeof account>>

/**
 * Creates an account on memory storage, with calls over the fetch handler and in process. Its clock stands still, and
 * ids and secrets are numbered, so that two accounts respond to the same requests with the same bodies.
 */
export async function account(input: Partial<EngineInput> = {}) {
  const memory = createMemoryStorage()
  let idCount = 0
  const hooks: Hooks = { before: () => undefined }
  const storage = hookedStorage(memory, hooks)
  const engine = createEngine({
    storage,
    rateLimit: false,
    clock: () => start,
    newId: () => `00000000-0000-4000-8000-${String(++idCount).padStart(12, '0')}`,
    integrations: [{ key: 'tickets', manifest: { capabilities: { flagLink: {} } } }],
    randomHex: (bytes) => (++idCount).toString(16).padStart(bytes * 2, '0'),
    ...input,
  })
  const owner = (await engine.bootstrap({ email: 'ada@example.com' }))?.token as string
  const handler = createFetchHandler(engine)

  async function send(
    method: string,
    path: string,
    { as = owner, headers, query, body }: SendOptions = {},
  ): Promise<ApiResponse> {
    const search = query ? `?${new URLSearchParams(query)}` : ''
    const request = new Request(`https://flags.example${path}${search}`, {
      method,
      headers: {
        // A generated request id would use up one of the numbered ids.
        'x-request-id': 'spec',
        ...(as === '' ? {} : { authorization: as }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const response = await handler(request)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
  }

  return {
    engine,
    api: engine.api,
    owner,
    caller: { as: owner },
    hooks,
    send,
    /** Calls an operation in process. */
    call: (id: keyof Api, { params, query, body }: CallInput, as = owner) =>
      (engine.api[id] as (input: object, options: object) => Promise<unknown>)({ ...params, ...query, body }, { as }),
    /** Creates a service token with this policy. */
    async tokenOf(...inlineRole: Statement[]): Promise<string> {
      return (await engine.api.createToken({ body: { inlineRole, serviceToken: true } }, { as: owner })).token as string
    },
  }
}

interface Hooks {
  before: (method: keyof AccountStorage) => unknown
}

function hookedStorage(storage: Storage, hooks: Hooks): Storage {
  return {
    ...storage,
    account: (name: string) =>
      new Proxy(storage.account(name), {
        get(target, method: keyof AccountStorage) {
          // Without these methods the engine does not cache, so every call goes to the storage, where a test can delay
          // it or make it fail.
          if (method === 'watch' || method === 'immediate') return undefined
          return async (...args: never[]) => {
            await hooks.before(method)
            return (target[method] as (...input: never[]) => unknown)(...args)
          }
        },
      }),
  }
}

/**
 * Creates an account with project `web`, its environments production and test, the flag `checkout` and the segment
 * `beta`.
 */
export async function createShopAccount(input: Partial<EngineInput> = {}) {
  const created = await account(input)
  const { api, caller } = created
  await api.createProject({ body: { key: 'web', name: 'Web' } }, caller)
  await api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout', tags: ['shop'] } }, caller)
  const segment = { key: 'beta', name: 'Beta', tags: ['shop'] }
  await api.createSegment({ projectKey: 'web', environmentKey: 'production', body: segment }, caller)
  return created
}

/** Returns a path template with its parameters filled in. */
export function pathOf(template: string, params: Readonly<Record<string, string>> = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] as string))
}
