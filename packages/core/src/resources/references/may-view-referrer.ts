import { members } from '../../models/members/member.ts'
import { projects } from '../../models/projects/project.ts'
import { teams } from '../../models/teams/team.ts'
import { tokens } from '../../models/tokens/token.ts'
import type { MayView } from '../../operation/reference-row.ts'
import type { Action } from '../../vocabulary/policy-kinds.ts'

/** Actions by which callers view documents outside of projects. */
const viewActions: ReadonlyMap<string, Action> = new Map([
  [tokens.name, 'viewToken'],
  [members.name, 'viewMember'],
  [teams.name, 'viewTeam'],
])

/** Returns true when the caller may view a document: with the right to view its project, or the document itself. */
export const mayViewReferrer: MayView = async (context, collection, keys, document) => {
  const { projectKey } = keys
  if (projectKey !== undefined) return context.allowed('viewProject', projects, { projectKey })
  const action = viewActions.get(collection.name)
  return action !== undefined && context.allowed(action, collection, keys, document)
}
