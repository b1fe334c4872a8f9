import type { ExampleContext, ExampleMakers } from '../example.ts'
import { newMember } from './members.ts'

const policy = [{ effect: 'allow', resources: ['proj/*:env/*:flag/*'], actions: ['updateOn'] }]

/** Creates a team with a role and a maintainer, without members. */
async function newTeam(context: ExampleContext): Promise<Record<'teamKey', string>> {
  const teamKey = context.newKey()
  const roleKey = context.newKey()
  const { id } = await newMember(context)
  await context.call('createRole', { body: { key: roleKey, name: 'Switcher', policy } })
  const permissionGrants = [{ actionSet: 'maintainTeam', memberIDs: [id] }]
  const body = { key: teamKey, name: 'Growth', customRoleKeys: [roleKey], permissionGrants }
  await context.call('createTeam', { body })
  return { teamKey }
}

export const teamExamples: ExampleMakers = {
  listTeams: async (context) => {
    await newTeam(context)
    return { query: { limit: '3', sort: '-lastModified', filter: 'query:growth', expand: 'members,maintainers' } }
  },
  createTeam: async (context) => ({
    body: {
      key: context.newKey(),
      name: 'Growth',
      description: 'Experiments',
      memberIDs: [(await newMember(context)).id],
      roleAttributes: { region: ['north'] },
    },
  }),
  getTeam: async (context) => ({
    params: await newTeam(context),
    query: { expand: 'members,roles,roleAttributes,projects,maintainers' },
  }),
  patchTeams: async (context) => {
    const teamKeys = [(await newTeam(context)).teamKey, (await newTeam(context)).teamKey]
    const memberIDs = [(await newMember(context)).id]
    return {
      mediaType: 'application/json; domain-model=svc.semanticpatch',
      body: { instructions: [{ kind: 'addMembersToTeams', memberIDs, teamKeys }] },
    }
  },
  patchTeam: async (context) => ({
    params: await newTeam(context),
    mediaType: 'application/json; domain-model=svc.semanticpatch',
    body: { comment: 'welcome', instructions: [{ kind: 'addMembers', values: [(await newMember(context)).id] }] },
  }),
  deleteTeam: async (context) => ({ params: await newTeam(context) }),
  listTeamRoles: async (context) => ({ params: await newTeam(context), query: { limit: '5' } }),
  listTeamMaintainers: async (context) => ({ params: await newTeam(context), query: { limit: '5' } }),
}
