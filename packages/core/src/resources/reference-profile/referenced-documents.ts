import { members } from '../../models/members/member.ts'
import { type Project, projects } from '../../models/projects/project.ts'
import { teams } from '../../models/teams/team.ts'
import type { ReshapeBody, ReshapedCall } from '../../operation/response-profile.ts'
import { serializeMemberSummary } from '../members/member-schema.ts'
import { at, collectionOfList, inOrder, onObject, valuesAt, withDefaults } from './reshape.ts'

type ProjectByKey = (projectKey: unknown) => Project | undefined

/** Reads projects that a response names by key. Projects that were deleted since are missing. */
export async function readProjects({ tx }: ReshapedCall, projectKeys: readonly unknown[]): Promise<ProjectByKey> {
  const keys = [...new Set(projectKeys.map(String))]
  const projectDocuments = await tx.getMany(
    projects,
    keys.map((projectKey) => ({ projectKey })),
  )
  const byKey = new Map(projectDocuments.flatMap((project) => (project ? [[project.key, project]] : [])))
  return (projectKey) => byKey.get(String(projectKey))
}

/** Adds id and name to the projects at these paths. A project at a path has a `key`. */
export function projectSummariesAt(...paths: readonly string[]): ReshapeBody {
  return async (body, call) => {
    const projectOf = await readProjects(
      call,
      paths.flatMap((each) => valuesAt(`${each}.key`, body)),
    )
    const summary = withDefaults(({ key }) => ({ _id: projectOf(key)?.id ?? key, name: projectOf(key)?.name ?? key }))
    return inOrder(...paths.map((each) => at(each, summary)))(body)
  }
}

/** The engine stores only the key of a repository. */
const repository = withDefaults(({ key }) => ({
  _id: key,
  version: 1,
  type: 'custom',
  url: '',
  mainBranch: '',
}))

export const repositoriesWithProjects: ReshapeBody = async (body, call) => {
  const summary = await projectSummariesAt('items.*.projects.*')(body, call)
  return at('items.*', inOrder(repository, at('projects', collectionOfList)))(summary)
}

/** Adds e-mail address and role to the members who completed the phases of a release. */
export const phasesWithMembers: ReshapeBody = async (body, { tx }) => {
  const path = 'phases.*._completedBy.member'
  const memberIds = [...new Set(valuesAt(`${path}._id`, body).map(String))]
  const memberDocuments = await tx.getMany(
    members,
    memberIds.map((memberId) => ({ memberId })),
  )
  const byId = new Map(
    memberDocuments.flatMap((member) => (member ? [[member.id, serializeMemberSummary(member)]] : [])),
  )
  const deletedMember = { email: '', role: '' }
  const member = onObject((linked) => ({ ...linked, ...(byId.get(String(linked._id)) ?? deletedMember) }))
  return at(path, member)(body)
}

/** Adds the keys of their roles to the teams at a path. A team at the path has a `key`. */
export function teamsWithRolesAt(path: string): ReshapeBody {
  return async (body, { tx }) => {
    const keys = [...new Set(valuesAt(`${path}.key`, body).map(String))]
    const teamDocuments = await tx.getMany(
      teams,
      keys.map((teamKey) => ({ teamKey })),
    )
    const byKey = new Map(
      teamDocuments.flatMap((team) => (team ? [[team.key, team.customRoles.map(({ key }) => key)]] : [])),
    )
    const team = withDefaults(({ key }) => ({ customRoleKeys: byKey.get(String(key)) ?? [] }))
    return at(path, team)(body)
  }
}
