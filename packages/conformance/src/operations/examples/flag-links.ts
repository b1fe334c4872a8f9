import { type ExampleMakers, type Examples, replacing } from '../example.ts'
import { newFlag } from './flags.ts'

async function newFlagLink(world: Examples): Promise<Record<string, string>> {
  const params = await newFlag(world)
  const body = { key: world.fresh(), deepLink: 'https://example.com/tickets/1', title: 'Ticket 1' }
  const { _id } = await world.call<{ _id: string }>('createFlagLink', { params, body })
  return { ...params, id: _id }
}

export const flagLinkExamples: ExampleMakers = {
  listFlagLinks: async (world) => {
    const { id: _, ...params } = await newFlagLink(world)
    return { params, query: { limit: '5' } }
  },
  createFlagLink: async (world) => ({
    params: await newFlag(world),
    body: {
      key: world.fresh(),
      integrationKey: 'tickets',
      timestamp: 1_655_342_199_935,
      deepLink: 'https://example.com/tickets/2',
      title: 'Ticket 2',
      description: 'Why there is this flag',
      metadata: { project: 'SHOP' },
    },
  }),
  updateFlagLink: async (world) => ({ params: await newFlagLink(world), body: replacing('/title', 'Ticket 3') }),
  deleteFlagLink: async (world) => ({ params: await newFlagLink(world) }),
}
