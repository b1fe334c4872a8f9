import { createMemoryStorage } from '@halyard/storage-memory'
import type { BaseRole, Statement } from '../../../entries/policy.ts'
import type { AccountStorage, Storage } from '../../../entries/storage.ts'
import { type ApiError, type As, createEngine, type EngineResponse } from '../../../index.ts'
import { start, wireRequest } from '../../account/test/calls.ts'

export { allow, failureOf, semantic, start } from '../../account/test/calls.ts'

export const deny = (actions: string[], resources: string[]): Statement => ({ effect: 'deny', actions, resources })

/** Returns an in-process caller with these statements as its policy. */
export const may = (...policy: Statement[]): As => ({ policy })

export type TeamAccount = Awaited<ReturnType<typeof teamAccount>>

/** Creates an account in memory with its owner Ada, and functions that create and read its members, teams and roles. */
export async function teamAccount() {
  let now = start
  let questions = 0
  const storage = countingStorage(() => questions++)
  const engine = createEngine({ storage, clock: () => now })
  const owner = await engine.bootstrap({ email: 'ada@example.com', firstName: 'Ada', lastName: 'L' })
  if (!owner) throw new Error('the account exists already')
  const as: As = owner.token
  const { api } = engine

  /** Creates a member, by default without any rights. */
  const member = async (email: string, more: object = {}) => {
    const { items } = await api.createMembers({ body: [{ email, role: 'no_access', ...more }] }, { as })
    return (items[0] as (typeof items)[number])._id
  }

  return {
    engine,
    api,
    as,
    ownerId: owner.memberId,
    /** Returns the number of storage requests that a call makes. */
    asked: async (call: () => Promise<unknown>) => {
      const before = questions
      await call()
      return questions - before
    },
    pass: (ms: number) => (now += ms),
    member,
    /** Creates a member with a personal token that has the rights of the member only. */
    person: async (email: string, more: { readonly role?: BaseRole } & object = {}) => {
      const id = await member(email, more)
      const lent: As = { role: 'owner', memberId: id }
      const { token } = await api.createToken({ body: { role: 'admin' } }, { as: lent })
      return { id, token }
    },
    role: (key: string, ...policy: Statement[]) =>
      api.createRole({ body: { key, name: `Role ${key}`, policy } }, { as }),
    project: (key: string, tags: string[] = []) =>
      api.createProject({ body: { key, name: `Project ${key}`, tags } }, { as }),
    team: (key: string, more: object = {}, by: As = as) =>
      api.createTeam({ body: { key, name: `Team ${key}`, ...more } }, { as: by }),
    getTeam: (teamKey: string, ...expand: string[]) => api.getTeam({ teamKey, expand }, { as }),
    getMember: (id: string) => api.getMember({ id }, { as }),
    instruct: (teamKey: string, instructions: readonly object[], by: As = as) =>
      api.patchTeam({ teamKey, body: { instructions } as never }, { as: by }),
    patchMember: (id: string, operations: readonly object[], by: As = as) =>
      api.patchMember({ id, body: operations as never }, { as: by }),
    send: (method: string, path: string, { body, ...headers }: Record<string, unknown> = {}): Promise<EngineResponse> =>
      engine.handle(wireRequest(method, path, body, { authorization: owner.token, ...headers })),
  }
}

/** Returns the error code of a call, or `none` when it succeeds. */
export const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'none',
    (error: ApiError) => error.code,
  )

/** Returns an in-memory storage that reports each access. */
function countingStorage(tell: () => void): Storage {
  const storage = createMemoryStorage()
  const counted = (account: AccountStorage): AccountStorage =>
    new Proxy(account, {
      get(target, verb) {
        tell()
        return Reflect.get(target, verb)
      },
    })
  return { ...storage, account: (name) => counted(storage.account(name)) }
}
