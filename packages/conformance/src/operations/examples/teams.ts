import type { ExampleMakers, Examples } from '../example.ts'
import { newMember } from './members.ts'

const policy = [{ effect: 'allow', resources: ['proj/*:env/*:flag/*'], actions: ['updateOn'] }]

/** Creates a team with a role and a maintainer, without members. */
async function newTeam(world: Examples): Promise<Record<'teamKey', string>> {
  const teamKey = world.fresh()
  const roleKey = world.fresh()
  const { id } = await newMember(world)
  await world.call('createRole', { body: { key: roleKey, name: 'Switcher', policy } })
  const permissionGrants = [{ actionSet: 'maintainTeam', memberIDs: [id] }]
  const body = { key: teamKey, name: 'Growth', customRoleKeys: [roleKey], permissionGrants }
  await world.call('createTeam', { body })
  return { teamKey }
}

export const teamExamples: ExampleMakers = {
  listTeams: async (world) => {
    await newTeam(world)
    return { query: { limit: '3', sort: '-lastModified', filter: 'query:growth', expand: 'members,maintainers' } }
  },
  createTeam: async (world) => ({
    body: {
      key: world.fresh(),
      name: 'Growth',
      description: 'Experiments',
      memberIDs: [(await newMember(world)).id],
      roleAttributes: { region: ['north'] },
    },
  }),
  getTeam: async (world) => ({
    params: await newTeam(world),
    query: { expand: 'members,roles,roleAttributes,projects,maintainers' },
  }),
  patchTeam: async (world) => ({
    params: await newTeam(world),
    mediaType: 'application/json; domain-model=svc.semanticpatch',
    body: { comment: 'welcome', instructions: [{ kind: 'addMembers', values: [(await newMember(world)).id] }] },
  }),
  deleteTeam: async (world) => ({ params: await newTeam(world) }),
  listTeamRoles: async (world) => ({ params: await newTeam(world), query: { limit: '5' } }),
  listTeamMaintainers: async (world) => ({ params: await newTeam(world), query: { limit: '5' } }),
}
