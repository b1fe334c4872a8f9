import * as v from 'valibot'
import { type Team, teams } from '../../models/teams/team.ts'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path, selfAndParent } from '../../operation/link.ts'
import { accessDetails, collection, links, list, name, text, timestamp } from '../../operation/schema.ts'
import { memberSummaryResponse, roleAttributes } from '../members/member-schema.ts'
import { serializeTeamMaintainers } from './team-maintainers-response.ts'
import { type ProjectPage, projectsResponse, serializeProjects, writableProjects } from './team-projects-response.ts'
import { rolesOf, serializeTeamRoles, teamRoleResponse } from './team-roles-response.ts'

/** Properties of a team that a caller can set at creation and with a patch, without a reference to another resource. */
export const teamSettings = v.object({ name: name(), description: text(), roleAttributes: roleAttributes() })

const teamObject = v.object({
  description: v.string(),
  key: v.string(),
  name: v.string(),
  _access: accessDetails(),
  _creationDate: timestamp(),
  _links: links(),
  _lastModified: timestamp(),
  _version: v.number(),
  _idpSynced: v.boolean(),
  roleAttributes: v.optional(v.record(v.string(), list(v.string()))),
  roles: v.optional(collection(teamRoleResponse)),
  members: v.optional(v.object({ totalCount: v.number() })),
  projects: v.optional(projectsResponse),
  maintainers: v.optional(collection(memberSummaryResponse)),
})

/** A team in a response. */
export interface TeamResponse extends v.InferOutput<typeof teamObject> {}

export const teamResponse: v.GenericSchema<TeamResponse> = teamObject

/** Expansions that a response can contain when `expand` requests them. */
export const teamExpansions = ['members', 'roles', 'roleAttributes', 'projects', 'maintainers'] as const

export type TeamExpansion = (typeof teamExpansions)[number]

export async function serializeTeam(
  context: ReadContext,
  team: Team,
  expand: readonly TeamExpansion[],
): Promise<TeamResponse> {
  const self = path`/api/v2/teams/${team.key}`
  const [_access, maintainers, rolesAndProjects] = await Promise.all([
    context.access(teams, { teamKey: team.key }, team),
    expand.includes('maintainers') ? firstMaintainers(context, team, self) : undefined,
    serializeRolesAndProjects(context, team, expand, self),
  ])
  return {
    description: team.description,
    key: team.key,
    name: team.name,
    _access,
    _creationDate: context.format.time(team.createdAt),
    _links: { ...selfAndParent(self, '/api/v2/teams'), roles: linkTo(`${self}/roles`) },
    _lastModified: context.format.time(team.lastModified),
    _version: team.version,
    // No identity provider manages teams here.
    _idpSynced: false,
    ...(expand.includes('members') ? { members: { totalCount: team.membership.size } } : {}),
    ...(expand.includes('roleAttributes') ? { roleAttributes: team.roleAttributes } : {}),
    ...(maintainers ? { maintainers } : {}),
    ...rolesAndProjects,
  }
}

function firstMaintainers(context: ReadContext, team: Team, self: string): Promise<TeamResponse['maintainers']> {
  const first = { limit: 20, offset: 0 }
  return serializeTeamMaintainers(context, team, { page: first, url: `${self}/maintainers?limit=20` })
}

/** Serializes the roles of a team, and the projects to which they give write access. */
async function serializeRolesAndProjects(
  context: ReadContext,
  team: Team,
  expand: readonly TeamExpansion[],
  self: string,
): Promise<{ roles?: TeamResponse['roles']; projects?: ProjectPage }> {
  if (!expand.includes('roles') && !expand.includes('projects')) return {}
  const [roles, writableProjectsOf] = await Promise.all([rolesOf(context, team), writableProjects(context, team)])
  const first = { limit: 25, offset: 0 }
  return {
    ...(expand.includes('roles')
      ? {
          roles: serializeTeamRoles(context, roles, writableProjectsOf, { page: first, url: `${self}/roles?limit=25` }),
        }
      : {}),
    ...(expand.includes('projects')
      ? { projects: serializeProjects(writableProjectsOf(roles.map(({ role }) => role))) }
      : {}),
  }
}
