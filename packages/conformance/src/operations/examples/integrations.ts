import { type ExampleMakers, type Examples, replacing } from '../example.ts'
import { newEnvironment } from './projects.ts'

const client = { name: 'Deploy bot', redirectUri: 'https://bot.example.com/callback' }
const webhook = { name: 'Chat', url: 'https://chat.example.com/hook', on: true, sign: true }
/**
 * Statements that match no change of the examples. A webhook that matches all changes would get a task from each later
 * call.
 */
const quiet = [{ effect: 'allow', resources: ['proj/quiet'], actions: ['*'] }]
const destination = { name: 'Stream', kind: 'google-pubsub', config: { project: 'shop', topic: 'events' } }

async function newClient({ call }: Examples): Promise<Record<'clientId', string>> {
  const { _clientId: clientId } = await call<{ _clientId: string }>('createOAuthClient', { body: client })
  return { clientId }
}

async function newWebhook({ call }: Examples): Promise<Record<'id', string>> {
  const { _id: id } = await call<{ _id: string }>('createWebhook', { body: { ...webhook, statements: quiet } })
  return { id }
}

/** Creates a delivery that stays pending, because no process delivers in these fixtures. */
async function newDelivery(world: Examples): Promise<Record<'id' | 'deliveryId', string>> {
  const params = await newWebhook(world)
  const { _id: deliveryId } = await world.call<{ _id: string }>('testWebhook', { params })
  return { ...params, deliveryId }
}

async function newWebhookThatIsOff({ call }: Examples): Promise<Record<'id', string>> {
  const { _id: id } = await call<{ _id: string }>('createWebhook', { body: { ...webhook, on: false } })
  return { id }
}

async function newDestination(world: Examples): Promise<Record<string, string>> {
  const params = await newEnvironment(world)
  const { _id: id } = await world.call<{ _id: string }>('createDestination', { params, body: destination })
  return { ...params, id }
}

/** Examples of OAuth clients, webhooks and destinations of data exports. */
export const integrationExamples: ExampleMakers = {
  listOAuthClients: async (world) => {
    await newClient(world)
    return { query: { limit: '2' } }
  },
  createOAuthClient: () => ({ body: { ...client, description: 'Deploys at night' } }),
  getOAuthClient: async (world) => ({ params: await newClient(world) }),
  patchOAuthClient: async (world) => ({ params: await newClient(world), body: replacing('/name', 'Renamed') }),
  deleteOAuthClient: async (world) => ({ params: await newClient(world) }),

  listWebhooks: async (world) => {
    await newWebhook(world)
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
  getWebhook: async (world) => ({ params: await newWebhook(world) }),
  patchWebhook: async (world) => ({ params: await newWebhook(world), body: replacing('/on', false) }),
  deleteWebhook: async (world) => ({ params: await newWebhook(world) }),

  listWebhookDeliveries: async (world) => {
    const { id } = await newDelivery(world)
    return { params: { id }, query: { limit: '2' } }
  },
  getWebhookDelivery: async (world) => ({ params: await newDelivery(world) }),
  replayWebhookDelivery: async (world) => ({ params: await newDelivery(world) }),
  replayWebhook: async (world) => ({ params: await newWebhook(world), body: { after: 0 } }),
  testWebhook: async (world) => ({ params: await newWebhook(world) }),

  listDestinations: async (world) => {
    await newDestination(world)
    return { query: { limit: '2' } }
  },
  createDestination: async (world) => ({
    params: await newEnvironment(world),
    body: { name: 'Warehouse', kind: 'segment', config: { writeKey: 'key' }, on: true },
  }),
  getDestination: async (world) => ({ params: await newDestination(world) }),
  patchDestination: async (world) => ({
    params: await newDestination(world),
    body: replacing('/config/topic', 'changes'),
  }),
  deleteDestination: async (world) => ({ params: await newDestination(world) }),
  generateTrustPolicy: async (world) => {
    const { projectKey, environmentKey } = await newEnvironment(world)
    return { params: { projKey: projectKey, envKey: environmentKey } }
  },
}

/** Examples of their failures. */
export const failingIntegrationExamples: ExampleMakers = {
  testWebhook: async (world) => ({ params: await newWebhookThatIsOff(world) }),
  replayWebhookDelivery: async (world) => {
    const params = await newDelivery(world)
    await world.call('patchWebhook', { params: { id: params.id }, body: replacing('/on', false) })
    return { params }
  },
}
