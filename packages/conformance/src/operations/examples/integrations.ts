import { type ExampleContext, type ExampleMakers, replaceValueAt } from '../example.ts'
import { newEnvironment } from './projects.ts'

const client = { name: 'Deploy bot', redirectUri: 'https://bot.example.com/callback' }
const webhook = { name: 'Chat', url: 'https://chat.example.com/hook', on: true, sign: true }
/**
 * Statements that match no change of the examples. A webhook that matches all changes would get a task from each later
 * call.
 */
const unmatchedStatements = [{ effect: 'allow', resources: ['proj/quiet'], actions: ['*'] }]
const destination = { name: 'Stream', kind: 'google-pubsub', config: { project: 'shop', topic: 'events' } }

async function newClient({ call }: ExampleContext): Promise<Record<'clientId', string>> {
  const { _clientId: clientId } = await call<{ _clientId: string }>('createOAuthClient', { body: client })
  return { clientId }
}

/** The SHA-256 of a code verifier in base64url (RFC 7636, appendix B). */
const codeChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const grantBody = { redirectUri: client.redirectUri, scopes: ['reader'], codeChallenge }

async function newGrant(context: ExampleContext): Promise<Record<'grantId', string>> {
  const params = await newClient(context)
  const { _id: grantId } = await context.call<{ _id: string }>('createOAuthGrant', { params, body: grantBody })
  return { grantId }
}

async function newWebhook({ call }: ExampleContext): Promise<Record<'id', string>> {
  const { _id: id } = await call<{ _id: string }>('createWebhook', {
    body: { ...webhook, statements: unmatchedStatements },
  })
  return { id }
}

/** Creates a delivery that stays pending, because no process runs due tasks in these fixtures. */
async function newDelivery(context: ExampleContext): Promise<Record<'id' | 'deliveryId', string>> {
  const params = await newWebhook(context)
  const { _id: deliveryId } = await context.call<{ _id: string }>('testWebhook', { params })
  return { ...params, deliveryId }
}

async function newDisabledWebhook({ call }: ExampleContext): Promise<Record<'id', string>> {
  const { _id: id } = await call<{ _id: string }>('createWebhook', { body: { ...webhook, on: false } })
  return { id }
}

async function newDestination(context: ExampleContext): Promise<Record<string, string>> {
  const params = await newEnvironment(context)
  const { _id: id } = await context.call<{ _id: string }>('createDestination', { params, body: destination })
  return { ...params, id }
}

/** Examples of OAuth clients, webhooks and destinations of data exports. */
export const integrationExamples: ExampleMakers = {
  listOAuthClients: async (context) => {
    await newClient(context)
    return { query: { limit: '2' } }
  },
  createOAuthClient: () => ({ body: { ...client, description: 'Deploys at night' } }),
  getOAuthClient: async (context) => ({ params: await newClient(context) }),
  patchOAuthClient: async (context) => ({ params: await newClient(context), body: replaceValueAt('/name', 'Renamed') }),
  deleteOAuthClient: async (context) => ({ params: await newClient(context) }),

  listOAuthGrants: async (context) => {
    await newGrant(context)
    return { query: { limit: '2' } }
  },
  createOAuthGrant: async (context) => ({ params: await newClient(context), body: grantBody }),
  getOAuthGrant: async (context) => ({ params: await newGrant(context) }),
  deleteOAuthGrant: async (context) => ({ params: await newGrant(context) }),

  listWebhooks: async (context) => {
    await newWebhook(context)
    return {}
  },
  createWebhook: () => ({
    body: {
      ...webhook,
      secret: 'a secret of sixteen'.replaceAll(' ', '-'),
      tags: ['example'],
      statements: [{ effect: 'allow', resources: ['proj/*:env/production:flag/*'], actions: ['*'] }],
    },
  }),
  getWebhook: async (context) => ({ params: await newWebhook(context) }),
  patchWebhook: async (context) => ({ params: await newWebhook(context), body: replaceValueAt('/on', false) }),
  deleteWebhook: async (context) => ({ params: await newWebhook(context) }),

  listWebhookDeliveries: async (context) => {
    const { id } = await newDelivery(context)
    return { params: { id }, query: { limit: '2' } }
  },
  getWebhookDelivery: async (context) => ({ params: await newDelivery(context) }),
  replayWebhookDelivery: async (context) => ({ params: await newDelivery(context) }),
  replayWebhook: async (context) => ({ params: await newWebhook(context), body: { after: 0 } }),
  testWebhook: async (context) => ({ params: await newWebhook(context) }),

  listDestinations: async (context) => {
    await newDestination(context)
    return { query: { limit: '2' } }
  },
  createDestination: async (context) => ({
    params: await newEnvironment(context),
    body: { name: 'Warehouse', kind: 'segment', config: { writeKey: 'key' }, on: true },
  }),
  getDestination: async (context) => ({ params: await newDestination(context) }),
  patchDestination: async (context) => ({
    params: await newDestination(context),
    body: replaceValueAt('/config/topic', 'changes'),
  }),
  deleteDestination: async (context) => ({ params: await newDestination(context) }),
  listDestinationDeliveries: async (context) => ({ params: await newDestination(context), query: { limit: '2' } }),
  replayDestination: async (context) => {
    const params = await newDestination(context)
    await context.call('patchDestination', { params, body: replaceValueAt('/on', true) })
    return { params, body: { after: 0 } }
  },
  generateTrustPolicy: async (context) => {
    const { projectKey, environmentKey } = await newEnvironment(context)
    return { params: { projectKey, environmentKey } }
  },
}

/** Examples of the failures of integrations. */
export const failingIntegrationExamples: ExampleMakers = {
  testWebhook: async (context) => ({ params: await newDisabledWebhook(context) }),
  replayWebhookDelivery: async (context) => {
    const params = await newDelivery(context)
    await context.call('patchWebhook', { params: { id: params.id }, body: replaceValueAt('/on', false) })
    return { params }
  },
}
