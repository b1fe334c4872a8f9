import { type ExampleContext, type ExampleMakers, replaceValueAt } from '../example.ts'

/** Creates a member. */
export async function newMember({ call, newKey }: ExampleContext): Promise<Record<'id', string>> {
  const body = [{ email: `${newKey()}@example.com`, firstName: 'Ann', lastName: 'Example' }]
  const { items } = await call<{ items: { _id: string }[] }>('createMembers', { body })
  return { id: items[0]?._id ?? '' }
}

export const memberExamples: ExampleMakers = {
  listMembers: async (context) => {
    await newMember(context)
    return { query: { limit: '3', sort: '-creationDate', filter: 'query:example.com,role:reader' } }
  },
  createMembers: ({ newKey }) => ({
    body: [
      { email: `${newKey()}@example.com`, role: 'writer', firstName: 'Bea', roleAttributes: { region: ['north'] } },
      { email: `${newKey()}@example.com` },
    ],
  }),
  getMember: async (context) => ({ params: await newMember(context) }),
  patchMember: async (context) => ({ params: await newMember(context), body: replaceValueAt('/role', 'writer') }),
  patchMembers: async (context) => ({
    mediaType: 'application/json; domain-model=svc.semanticpatch',
    body: {
      comment: 'a new group',
      instructions: [
        { kind: 'replaceMembersRoles', value: 'writer', memberIDs: [(await newMember(context)).id] },
        {
          kind: 'replaceMembersRoleAttributes',
          value: { region: ['north'] },
          memberIDs: [(await newMember(context)).id],
        },
      ],
    },
  }),
  postMemberTeams: async (context) => {
    const teamKey = context.newKey()
    await context.call('createTeam', { body: { key: teamKey, name: 'Growth' } })
    return { params: await newMember(context), body: { teamKeys: [teamKey] } }
  },
  deleteMember: async (context) => ({ params: await newMember(context) }),
  inviteMember: async (context) => ({ params: await newMember(context) }),
  acceptInvitation: async ({ call, newKey }) => {
    const body = [{ email: `${newKey()}@example.com` }]
    const { items } = await call<{ items: { _id: string; _invitation: { code: string } }[] }>('createMembers', {
      body,
    })
    const [member] = items
    return { params: { id: member?._id ?? '' }, body: { code: member?._invitation.code } }
  },
}

/** Returns the owner, who cannot be deleted, and has no invitation. */
async function owner({ call }: ExampleContext) {
  const { items } = await call<{ items: { _id: string }[] }>('listMembers', { query: { filter: 'role:owner' } })
  return { params: { id: items[0]?._id ?? '' } }
}

export const failingMemberExamples: ExampleMakers = {
  deleteMember: owner,
  inviteMember: owner,
}
