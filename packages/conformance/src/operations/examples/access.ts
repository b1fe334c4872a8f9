import { type ExampleMakers, type Examples, replacing } from '../example.ts'

const policy = [{ effect: 'allow', resources: ['proj/*'], actions: ['viewProject'] }]

async function newRole({ call, fresh }: Examples): Promise<Record<'roleKey', string>> {
  const roleKey = fresh()
  await call('createRole', { body: { key: roleKey, name: 'Viewer', policy } })
  return { roleKey }
}

async function newToken({ call }: Examples): Promise<Record<'id', string>> {
  const { _id: id } = await call<{ _id: string }>('createToken', { body: { name: 'Example', role: 'writer' } })
  return { id }
}

export const accessExamples: ExampleMakers = {
  listRoles: async (world) => {
    await newRole(world)
    return { query: { limit: '3' } }
  },
  createRole: ({ fresh }) => ({ body: { key: fresh(), name: 'Viewer', description: 'May look', policy } }),
  getRole: async (world) => ({ params: await newRole(world) }),
  patchRole: async (world) => ({ params: await newRole(world), body: replacing('/description', 'Changed') }),
  deleteRole: async (world) => ({ params: await newRole(world) }),

  listTokens: async (world) => {
    await newToken(world)
    return { query: { limit: '3' } }
  },
  createToken: async (world) => {
    const { roleKey } = await newRole(world)
    return { body: { name: 'Example', customRoleIds: [roleKey], serviceToken: true } }
  },
  getToken: async (world) => ({ params: await newToken(world) }),
  patchToken: async (world) => ({ params: await newToken(world), body: replacing('/name', 'Renamed') }),
  deleteToken: async (world) => ({ params: await newToken(world) }),
  resetToken: async (world) => ({ params: await newToken(world) }),
}
