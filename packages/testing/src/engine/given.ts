import type { Api, As } from '@halyard/core'
import type { Statement } from '@halyard/core/policy'

type Body<Id extends keyof Api> =
  NonNullable<Parameters<Api[Id]>[0]> extends { readonly body: infer Sent } ? Sent : never
type Answer<Id extends keyof Api> = Awaited<ReturnType<Api[Id]>>
type Settings<Id extends keyof Api> = Partial<Omit<Body<Id>, 'key'>>
type MemberSettings = Partial<Omit<Body<'createMembers'>[number], 'email'>>
type Member = Answer<'createMembers'>['items'][number]

/**
 * Makes what a test stands on, as the administrator and through the same operations as everybody: what they refuse
 * rejects with their `ApiError`. Names are the keys unless `settings` say otherwise. Each resolves with what it made.
 */
export interface Given {
  /** A project with the environments `production` (critical) and `test`, unless `settings.environments` names others. */
  project(key: string, settings?: Settings<'createProject'>): Promise<Answer<'createProject'>>
  environment(
    projectKey: string,
    key: string,
    settings?: Settings<'createEnvironment'>,
  ): Promise<Answer<'createEnvironment'>>
  /** A boolean flag that is off everywhere, unless `settings.variations` say otherwise. */
  flag(projectKey: string, key: string, settings?: Settings<'createFlag'>): Promise<Answer<'createFlag'>>
  segment(
    projectKey: string,
    environmentKey: string,
    key: string,
    settings?: Settings<'createSegment'>,
  ): Promise<Answer<'createSegment'>>
  /** A custom role. */
  role(
    key: string,
    policy: readonly Statement[],
    settings?: Omit<Settings<'createRole'>, 'policy'>,
  ): Promise<Answer<'createRole'>>
  /** A person, with the base role `reader` unless `settings.role` says otherwise. */
  member(email: string, settings?: MemberSettings): Promise<Member>
  team(key: string, settings?: Settings<'createTeam'>): Promise<Answer<'createTeam'>>
  /**
   * A token; `token` of what it resolves with is its value, for `{ as }` and the `Authorization` header.
   *
   * @param memberId whose it is; it may do what its own roles, and the member and their teams, allow. Default: the
   *   administrator's.
   */
  token(settings: Body<'createToken'>, memberId?: string): Promise<Answer<'createToken'> & { readonly token: string }>
}

/** @param as who makes them. */
export function givenThrough(api: Api, as: As): Given {
  return {
    project: (key, settings) => api.createProject({ body: { key, name: key, ...settings } }, { as }),
    environment: (projectKey, key, settings) =>
      api.createEnvironment({ projectKey, body: { key, name: key, color: '417505', ...settings } }, { as }),
    flag: (projectKey, key, settings) => api.createFlag({ projectKey, body: { key, name: key, ...settings } }, { as }),
    segment: (projectKey, environmentKey, key, settings) =>
      api.createSegment({ projectKey, environmentKey, body: { key, name: key, ...settings } }, { as }),
    role: (key, policy, settings) => api.createRole({ body: { key, name: key, ...settings, policy } }, { as }),
    async member(email, settings) {
      const { items } = await api.createMembers({ body: [{ email, ...settings }] }, { as })
      return items[0] as Member
    },
    team: (key, settings) => api.createTeam({ body: { key, name: key, ...settings } }, { as }),
    async token(settings, memberId) {
      // The host vouches for the member: a token is made by the one whose it is.
      const owner: As = memberId === undefined ? as : { role: 'owner', memberId }
      const made = await api.createToken({ body: settings }, { as: owner })
      return { ...made, token: made.token as string }
    },
  }
}
