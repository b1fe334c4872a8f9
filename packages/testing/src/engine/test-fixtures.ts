import type { Api, As } from '@halyard/core'
import type { Statement } from '@halyard/core/policy'

type Body<Id extends keyof Api> =
  NonNullable<Parameters<Api[Id]>[0]> extends { readonly body: infer RequestBody } ? RequestBody : never
type ResponseOf<Id extends keyof Api> = Awaited<ReturnType<Api[Id]>>
type Settings<Id extends keyof Api> = Partial<Omit<Body<Id>, 'key'>>
type MemberSettings = Partial<Omit<Body<'createMembers'>[number], 'email'>>
type Member = ResponseOf<'createMembers'>['items'][number]

/**
 * Creates resources for a test, as the administrator and through the operations of the API; errors reject with their
 * `ApiError`. The name of a resource is its key unless `settings` contain one. Each function resolves with the created
 * resource.
 */
export interface TestFixtures {
  /**
   * Creates a project with the environments `production` (critical) and `test`, unless `settings.environments` lists
   * others.
   */
  project(key: string, settings?: Settings<'createProject'>): Promise<ResponseOf<'createProject'>>
  environment(
    projectKey: string,
    key: string,
    settings?: Settings<'createEnvironment'>,
  ): Promise<ResponseOf<'createEnvironment'>>
  /** Creates a boolean flag that is off in all environments, unless `settings.variations` contains others. */
  flag(projectKey: string, key: string, settings?: Settings<'createFlag'>): Promise<ResponseOf<'createFlag'>>
  segment(
    projectKey: string,
    environmentKey: string,
    key: string,
    settings?: Settings<'createSegment'>,
  ): Promise<ResponseOf<'createSegment'>>
  /** Creates a custom role. */
  role(
    key: string,
    policy: readonly Statement[],
    settings?: Omit<Settings<'createRole'>, 'policy'>,
  ): Promise<ResponseOf<'createRole'>>
  /** Creates a member with the base role `reader`, unless `settings.role` is another. */
  member(email: string, settings?: MemberSettings): Promise<Member>
  team(key: string, settings?: Settings<'createTeam'>): Promise<ResponseOf<'createTeam'>>
  /**
   * Creates a token. The result's property `token` is its value, for `{ as }` and the `Authorization` header.
   * @param memberId owner of the token, which has the permissions that its own roles and the roles of the member and
   *   their teams allow. Default: the administrator.
   */
  token(
    settings: Body<'createToken'>,
    memberId?: string,
  ): Promise<ResponseOf<'createToken'> & { readonly token: string }>
}

/**
 * Returns functions that create resources.
 *
 * @param as caller that creates the resources.
 */
export function createFixtures(api: Api, as: As): TestFixtures {
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
      // A caller creates tokens for itself, so this call is made in the name of the member.
      const owner: As = memberId === undefined ? as : { role: 'owner', memberId }
      const created = await api.createToken({ body: settings }, { as: owner })
      return { ...created, token: created.token as string }
    },
  }
}
