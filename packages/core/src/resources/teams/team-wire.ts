import * as v from 'valibot'
import { type Team, teams } from '../../models/teams/team.ts'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path, selfAndParent } from '../../operation/link.ts'
import { accessDetails, collection, links, list, name, text, timestamp } from '../../operation/schema.ts'
import { memberSummaryWire, roleAttributes } from '../members/member-wire.ts'
import { presentTeamMaintainers } from './team-maintainers-wire.ts'
import { type ProjectPage, presentProjects, projectsWire, writableProjects } from './team-projects-wire.ts'
import { presentTeamRoles, rolesOf, teamRoleWire } from './team-roles-wire.ts'

/** Properties of a team that a caller can set at creation and with a patch, without a reference to another resource. */
export const teamSettings = v.object({ name: name(), description: text(), roleAttributes: roleAttributes() })

export const teamWire = v.object({
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
  roles: v.optional(collection(teamRoleWire)),
  members: v.optional(v.object({ totalCount: v.number() })),
  projects: v.optional(projectsWire),
  maintainers: v.optional(collection(memberSummaryWire)),
})

/** Expansions that a response can contain when `expand` requests them. */
export const teamExpansions = ['members', 'roles', 'roleAttributes', 'projects', 'maintainers'] as const

export type TeamExpansion = (typeof teamExpansions)[number]

type TeamAnswer = v.InferOutput<typeof teamWire>

export async function presentTeam(
  context: ReadContext,
  team: Team,
  expand: readonly TeamExpansion[],
): Promise<TeamAnswer> {
  const self = path`/api/v2/teams/${team.key}`
  const [_access, maintainers, reach] = await Promise.all([
    context.access(teams, { teamKey: team.key }, team),
    expand.includes('maintainers') ? firstMaintainers(context, team, self) : undefined,
    presentReach(context, team, expand, self),
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
    ...reach,
  }
}

function firstMaintainers(context: ReadContext, team: Team, self: string): Promise<TeamAnswer['maintainers']> {
  const first = { limit: 20, offset: 0 }
  return presentTeamMaintainers(context, team, first, `${self}/maintainers?limit=20`)
}

/** Serializes the roles of a team, and the projects to which they give write access. */
async function presentReach(
  context: ReadContext,
  team: Team,
  expand: readonly TeamExpansion[],
  self: string,
): Promise<{ roles?: TeamAnswer['roles']; projects?: ProjectPage }> {
  if (!expand.includes('roles') && !expand.includes('projects')) return {}
  const [roles, writable] = await Promise.all([rolesOf(context, team), writableProjects(context, team)])
  const first = { limit: 25, offset: 0 }
  return {
    ...(expand.includes('roles')
      ? { roles: presentTeamRoles(context, roles, writable, first, `${self}/roles?limit=25`) }
      : {}),
    ...(expand.includes('projects') ? { projects: presentProjects(writable(roles.map(({ role }) => role))) } : {}),
  }
}
