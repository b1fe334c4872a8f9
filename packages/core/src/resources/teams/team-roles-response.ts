import * as v from 'valibot'
import { type Role, roles } from '../../models/roles/role.ts'
import type { AppliedRole, Team } from '../../models/teams/team.ts'
import type { ReadContext } from '../../operation/context.ts'
import { pageLinks } from '../../operation/link.ts'
import { collection, timestamp } from '../../operation/schema.ts'
import type { PageRequest } from './team-maintainers-response.ts'
import { projectsResponse, serializeProjects, type WritableProjects } from './team-projects-response.ts'

/** A role in the response of a team that has it. */
export const teamRoleResponse = v.object({
  key: v.string(),
  name: v.string(),
  projects: projectsResponse,
  appliedOn: timestamp(),
})

export const teamRolesResponse = collection(teamRoleResponse)

/** A role of a team, and the time from which the team has it. */
export interface TeamRole extends Pick<AppliedRole, 'appliedOn'> {
  readonly role: Role
}

/** Returns the roles of a team that still exist, in the order in which they were added. */
export async function rolesOf({ tx }: Pick<ReadContext, 'tx'>, team: Team): Promise<readonly TeamRole[]> {
  const existing = await tx.getMany(
    roles,
    team.customRoles.map(({ key }) => ({ roleKey: key })),
  )
  return team.customRoles.flatMap(({ appliedOn }, index) => {
    const role = existing[index]
    return role ? [{ role, appliedOn }] : []
  })
}

/** Serializes a page of the roles of a team. */
export function serializeTeamRoles(
  { format }: Pick<ReadContext, 'format'>,
  teamRoles: readonly TeamRole[],
  writable: WritableProjects,
  { page, url }: PageRequest,
): v.InferOutput<typeof teamRolesResponse> {
  const pageRoles = teamRoles.slice(page.offset, page.offset + page.limit)
  return {
    totalCount: teamRoles.length,
    items: pageRoles.map(({ role, appliedOn }) => ({
      key: role.key,
      name: role.name,
      projects: serializeProjects(writable([role])),
      appliedOn: format.time(appliedOn),
    })),
    _links: pageLinks(url, page, teamRoles.length),
  }
}
