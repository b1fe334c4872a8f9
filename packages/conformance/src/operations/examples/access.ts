import { type ExampleContext, type ExampleMakers, replaceValueAt } from '../example.ts'

const policy = [{ effect: 'allow', resources: ['proj/*'], actions: ['viewProject'] }]

async function newRole({ call, newKey }: ExampleContext): Promise<Record<'roleKey', string>> {
  const roleKey = newKey()
  await call('createRole', { body: { key: roleKey, name: 'Viewer', policy } })
  return { roleKey }
}

async function newToken({ call }: ExampleContext): Promise<Record<'id', string>> {
  const { _id: id } = await call<{ _id: string }>('createToken', { body: { name: 'Example', role: 'writer' } })
  return { id }
}

const relayPolicy = [{ effect: 'allow', resources: ['proj/*:env/production'], actions: ['*'] }]

async function newRelayConfig({ call }: ExampleContext): Promise<Record<'id', string>> {
  const body = { name: 'Europe', policy: relayPolicy }
  const { _id: id } = await call<{ _id: string }>('postRelayAutoConfig', { body })
  return { id }
}

/** Returns an address that no other example has: its last groups are the characters of a new key. */
function newAddress({ newKey }: ExampleContext): string {
  const codes = [...newKey()].slice(-5).map((character) => character.charCodeAt(0).toString(16))
  return `2001:db8::${codes.join(':')}`
}

async function newAllowlistEntry(context: ExampleContext): Promise<Record<'id', string>> {
  const body = { ipAddress: newAddress(context), description: 'Office' }
  const { _id: id } = await context.call<{ _id: string }>('createIpAllowlistEntry', { body })
  return { id }
}

export const accessExamples: ExampleMakers = {
  listRoles: async (context) => {
    await newRole(context)
    return { query: { limit: '3' } }
  },
  createRole: ({ newKey }) => ({ body: { key: newKey(), name: 'Viewer', description: 'May look', policy } }),
  getRole: async (context) => ({ params: await newRole(context) }),
  patchRole: async (context) => ({ params: await newRole(context), body: replaceValueAt('/description', 'Changed') }),
  deleteRole: async (context) => ({ params: await newRole(context) }),

  listTokens: async (context) => {
    await newToken(context)
    return { query: { limit: '3' } }
  },
  createToken: async (context) => {
    const { roleKey } = await newRole(context)
    return { body: { name: 'Example', customRoleIds: [roleKey], serviceToken: true } }
  },
  getToken: async (context) => ({ params: await newToken(context) }),
  patchToken: async (context) => ({ params: await newToken(context), body: replaceValueAt('/name', 'Renamed') }),
  deleteToken: async (context) => ({ params: await newToken(context) }),
  resetToken: async (context) => ({ params: await newToken(context) }),

  getRelayProxyConfigs: async (context) => {
    await newRelayConfig(context)
    return {}
  },
  postRelayAutoConfig: () => ({ body: { name: 'Europe', policy: relayPolicy } }),
  getRelayProxyConfig: async (context) => ({ params: await newRelayConfig(context) }),
  patchRelayAutoConfig: async (context) => ({
    params: await newRelayConfig(context),
    body: replaceValueAt('/name', 'Northern Europe'),
  }),
  deleteRelayAutoConfig: async (context) => ({ params: await newRelayConfig(context) }),
  resetRelayAutoConfig: async (context) => ({
    params: await newRelayConfig(context),
    query: { expiry: '1924992000000' },
  }),

  getIpAllowlist: async (context) => {
    await newAllowlistEntry(context)
    return { query: { search: 'office', limit: '3' } }
  },
  patchIpAllowlistConfig: () => ({ body: { sessionAllowlistEnabled: true } }),
  createIpAllowlistEntry: (context) => ({ body: { ipAddress: newAddress(context), description: 'Office' } }),
  patchIpAllowlistEntry: async (context) => ({
    params: await newAllowlistEntry(context),
    body: { description: 'Home' },
  }),
  deleteIpAllowlistEntry: async (context) => ({ params: await newAllowlistEntry(context) }),
}
