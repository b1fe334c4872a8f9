import * as v from 'valibot'
import { type Project, projects } from '../../models/projects/project.ts'
import type { Role } from '../../models/roles/role.ts'
import type { Team } from '../../models/teams/team.ts'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path } from '../../operation/link.ts'
import { visiblePage } from '../../operation/pages/visible-page.ts'
import { links, list } from '../../operation/schema.ts'
import { writeAccess } from './writable-projects.ts'

/**
 * The projects to which the roles of a team give write access. `totalCount` counts all of them; `items` contains the
 * first ones by key.
 */
export const projectsResponse = v.object({
  totalCount: v.number(),
  items: list(v.object({ _links: links(), key: v.string(), name: v.string() })),
})

export type ProjectPage = v.InferOutput<typeof projectsResponse>

/** Maximum number of projects in this part of a response. There is no next page to link to. */
const maxListedProjects = 100

/** Returns the projects to which the given roles give write access. */
export type WritableProjects = (roles: readonly Role[]) => readonly Project[]

/** Reads the projects that the caller may view, once per response. Other projects are neither listed nor counted. */
export async function writableProjects(context: ReadContext, team: Team): Promise<WritableProjects> {
  const visible = await visiblePage(
    context,
    { collection: projects, scope: {}, action: 'viewProject' },
    { limit: Number.POSITIVE_INFINITY, offset: 0 },
  )
  return (roles) => visible.items.filter(writeAccess(roles, team.roleAttributes))
}

export function serializeProjects(writable: readonly Project[]): ProjectPage {
  return { totalCount: writable.length, items: writable.slice(0, maxListedProjects).map(serializeProject) }
}

function serializeProject({ key, name }: Project): ProjectPage['items'][number] {
  const self = path`/api/v2/projects/${key}`
  return { _links: { self: linkTo(self), environments: linkTo(`${self}/environments`) }, key, name }
}
