import * as v from 'valibot'
import { type Role, roles } from '../../models/roles/role.ts'
import type { AppliedRole, Team } from '../../models/teams/team.ts'
import type { ReadContext } from '../../operation/context.ts'
import { type PageQuery, pageLinks } from '../../operation/link.ts'
import { collection, timestamp } from '../../operation/schema.ts'
import { presentProjects, projectsWire, type WritableProjects } from './team-projects-wire.ts'

/** A role in the response of a team that has it. */
export const teamRoleWire = v.object({
  key: v.string(),
  name: v.string(),
  projects: projectsWire,
  appliedOn: timestamp(),
})

export const teamRolesWire = collection(teamRoleWire)

/** A role of a team, and the time from which the team has it. */
export interface TeamRole extends Pick<AppliedRole, 'appliedOn'> {
  readonly role: Role
}

/** Returns the roles of a team that still exist, in the order in which they were added. */
export async function rolesOf({ tx }: Pick<ReadContext, 'tx'>, team: Team): Promise<readonly TeamRole[]> {
  const found = await tx.getMany(
    roles,
    team.customRoles.map(({ key }) => ({ roleKey: key })),
  )
  return team.customRoles.flatMap(({ appliedOn }, index) => {
    const role = found[index]
    return role ? [{ role, appliedOn }] : []
  })
}

/**
 * Serializes a page of the roles of a team.
 *
 * @param url URL of that page, for the links.
 */
export function presentTeamRoles(
  { format }: Pick<ReadContext, 'format'>,
  found: readonly TeamRole[],
  writable: WritableProjects,
  page: PageQuery,
  url: string,
): v.InferOutput<typeof teamRolesWire> {
  const shown = found.slice(page.offset, page.offset + page.limit)
  return {
    totalCount: found.length,
    items: shown.map(({ role, appliedOn }) => ({
      key: role.key,
      name: role.name,
      projects: presentProjects(writable([role])),
      appliedOn: format.time(appliedOn),
    })),
    _links: pageLinks(url, page, found.length),
  }
}
