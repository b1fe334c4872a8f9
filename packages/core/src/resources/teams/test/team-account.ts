import { createMemoryStorage } from '@halyard/storage-memory'
import type { BaseRole, Statement } from '../../../entries/policy.ts'
import type { AccountStorage, Storage } from '../../../entries/storage.ts'
import { type ApiError, type As, createEngine, type EngineResponse } from '../../../index.ts'
import { engineRequest, start } from '../../account/test/calls.ts'

export { allow, failureOf, semanticPatchType, start } from '../../account/test/calls.ts'

export const deny = (actions: string[], resources: string[]): Statement => ({ effect: 'deny', actions, resources })

/** Returns an in-process caller with these statements as its policy. */
export const callerWith = (...policy: Statement[]): As => ({ policy })

export type TeamAccount = Awaited<ReturnType<typeof teamAccount>>

/** Creates an account in memory with its owner Ada, and functions that create and read its members, teams and roles. */
export async function teamAccount() {
  let now = start
  let requestCount = 0
  const storage = createCountingStorage(() => requestCount++)
  const engine = createEngine({ storage, clock: () => now })
  const owner = await engine.bootstrap({ email: 'ada@example.com', firstName: 'Ada', lastName: 'L' })
  if (!owner) throw new Error('the account exists already')
  const as: As = owner.token
  const { api } = engine

  /** Creates a member, by default without any rights. */
  const member = async (email: string, overrides: object = {}) => {
    const { items } = await api.createMembers({ body: [{ email, role: 'no_access', ...overrides }] }, { as })
    return (items[0] as (typeof items)[number])._id
  }

  return {
    engine,
    api,
    as,
    ownerId: owner.memberId,
    /** Returns the number of storage requests that a call makes. */
    countRequests: async (call: () => Promise<unknown>) => {
      const before = requestCount
      await call()
      return requestCount - before
    },
    pass: (ms: number) => (now += ms),
    member,
    /** Creates a member with a personal token that has the rights of the member only. */
    memberWithToken: async (email: string, overrides: { readonly role?: BaseRole } & object = {}) => {
      const id = await member(email, overrides)
      const asMember: As = { role: 'owner', memberId: id }
      const { token } = await api.createToken({ body: { role: 'admin' } }, { as: asMember })
      return { id, token }
    },
    role: (key: string, ...policy: Statement[]) =>
      api.createRole({ body: { key, name: `Role ${key}`, policy } }, { as }),
    project: (key: string, tags: string[] = []) =>
      api.createProject({ body: { key, name: `Project ${key}`, tags } }, { as }),
    team: (key: string, overrides: object = {}, caller: As = as) =>
      api.createTeam({ body: { key, name: `Team ${key}`, ...overrides } }, { as: caller }),
    getTeam: (teamKey: string, ...expand: string[]) => api.getTeam({ teamKey, expand }, { as }),
    getMember: (id: string) => api.getMember({ id }, { as }),
    instruct: (teamKey: string, instructions: readonly object[], caller: As = as) =>
      api.patchTeam({ teamKey, body: { instructions } as never }, { as: caller }),
    patchMember: (id: string, operations: readonly object[], caller: As = as) =>
      api.patchMember({ id, body: operations as never }, { as: caller }),
    send: (method: string, path: string, { body, ...headers }: Record<string, unknown> = {}): Promise<EngineResponse> =>
      engine.handle(engineRequest(method, path, body, { authorization: owner.token, ...headers })),
  }
}

/** Returns the error code of a call, or `none` when it succeeds. */
export const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'none',
    (error: ApiError) => error.code,
  )

/** Returns an in-memory storage that reports each access. */
function createCountingStorage(onRequest: () => void): Storage {
  const storage = createMemoryStorage()
  const counted = (account: AccountStorage): AccountStorage =>
    new Proxy(account, {
      get(target, property) {
        onRequest()
        return Reflect.get(target, property)
      },
    })
  return { ...storage, account: (name) => counted(storage.account(name)) }
}
