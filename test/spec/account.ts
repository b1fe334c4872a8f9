import { type Api, createEngine, type EngineInput } from '@halyard/core'
import type { Statement } from '@halyard/core/policy'
import type { AccountStorage, Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler } from '@halyard/transport-fetch'

/** When accounts are made, integer ms, UTC. */
export const start = Date.UTC(2026, 10, 20, 12)

/** What one call asks for. */
export interface Ask {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export interface Sent {
  /** Sent as `Authorization`; left out when empty. Default: the owner's token. */
  readonly as?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  /** JSON, or a text to be sent as it is. */
  readonly body?: unknown
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

export type Account = Awaited<ReturnType<typeof account>>

/**
 * An account on memory, reached over the fetch handler and in process. Its clock stands, and ids and secrets are
 * counted: two accounts that are asked the same answer the same.
 */
export async function account(input: Partial<EngineInput> = {}) {
  const memory = createMemoryStorage()
  let made = 0
  const hooks: Hooks = { before: () => undefined }
  const storage = hookedStorage(memory, hooks)
  const engine = createEngine({
    storage,
    rateLimit: false,
    clock: () => start,
    newId: () => `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`,
    randomHex: (bytes) => (++made).toString(16).padStart(bytes * 2, '0'),
    ...input,
  })
  const owner = (await engine.bootstrap({ email: 'ada@example.com' }))?.token as string
  const handler = createFetchHandler(engine)

  async function send(method: string, path: string, { as = owner, headers, query, body }: Sent = {}): Promise<Answer> {
    const search = query ? `?${new URLSearchParams(query)}` : ''
    const request = new Request(`https://flags.example${path}${search}`, {
      method,
      headers: {
        // An id of its own would take one from those that are counted.
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
    by: { as: owner },
    hooks,
    send,
    /** Calls an operation in process. */
    call: (id: keyof Api, { params, query, body }: Ask, as = owner) =>
      (engine.api[id] as (given: object, options: object) => Promise<unknown>)({ ...params, ...query, body }, { as }),
    /** A service token with this policy. */
    async tokenOf(...inlineRole: Statement[]): Promise<string> {
      return (await engine.api.createToken({ body: { inlineRole, serviceToken: true } }, { as: owner })).token as string
    },
  }
}

interface Hooks {
  before: (verb: keyof AccountStorage) => unknown
}

function hookedStorage(storage: Storage, hooks: Hooks): Storage {
  return {
    ...storage,
    account: (name: string) =>
      new Proxy(storage.account(name), {
        get(target, verb: keyof AccountStorage) {
          // Each call is to ask storage, where it can be held up.
          if (verb === 'watch' || verb === 'immediate') return undefined
          return async (...args: never[]) => {
            await hooks.before(verb)
            return (target[verb] as (...given: never[]) => unknown)(...args)
          }
        },
      }),
  }
}

/** The account with a project `web`, its environments production and test, the flag `checkout` and a segment `beta`. */
export async function shop(input: Partial<EngineInput> = {}) {
  const made = await account(input)
  const { api, by } = made
  await api.createProject({ body: { key: 'web', name: 'Web' } }, by)
  await api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout', tags: ['shop'] } }, by)
  const segment = { key: 'beta', name: 'Beta', tags: ['shop'] }
  await api.createSegment({ projectKey: 'web', environmentKey: 'production', body: segment }, by)
  return made
}

/** A path template with its parameters put in. */
export function pathOf(template: string, params: Readonly<Record<string, string>> = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] as string))
}
