import { type ExampleMakers, type Examples, replacing } from '../example.ts'

/** Creates a member. */
export async function newMember({ call, fresh }: Examples): Promise<Record<'id', string>> {
  const body = [{ email: `${fresh()}@example.com`, firstName: 'Ann', lastName: 'Example' }]
  const { items } = await call<{ items: { _id: string }[] }>('createMembers', { body })
  return { id: items[0]?._id ?? '' }
}

export const memberExamples: ExampleMakers = {
  listMembers: async (world) => {
    await newMember(world)
    return { query: { limit: '3', sort: '-creationDate', filter: 'query:example.com,role:reader' } }
  },
  createMembers: ({ fresh }) => ({
    body: [
      { email: `${fresh()}@example.com`, role: 'writer', firstName: 'Bea', roleAttributes: { region: ['north'] } },
      { email: `${fresh()}@example.com` },
    ],
  }),
  getMember: async (world) => ({ params: await newMember(world) }),
  patchMember: async (world) => ({ params: await newMember(world), body: replacing('/role', 'writer') }),
  deleteMember: async (world) => ({ params: await newMember(world) }),
}

/** The last owner of an account cannot be deleted. */
export const failingMemberExamples: ExampleMakers = {
  deleteMember: async ({ call }) => {
    const { items } = await call<{ items: { _id: string }[] }>('listMembers', { query: { filter: 'role:owner' } })
    return { params: { id: items[0]?._id ?? '' } }
  },
}
