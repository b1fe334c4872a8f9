import { type ExampleContext, type ExampleMakers, replaceValueAt } from '../example.ts'
import { newFlag } from './flags.ts'

async function newFlagLink(context: ExampleContext): Promise<Record<string, string>> {
  const params = await newFlag(context)
  const body = { key: context.newKey(), deepLink: 'https://example.com/tickets/1', title: 'Ticket 1' }
  const { _id } = await context.call<{ _id: string }>('createFlagLink', { params, body })
  return { ...params, id: _id }
}

export const flagLinkExamples: ExampleMakers = {
  listFlagLinks: async (context) => {
    const { id: _, ...params } = await newFlagLink(context)
    return { params, query: { limit: '5' } }
  },
  createFlagLink: async (context) => ({
    params: await newFlag(context),
    body: {
      key: context.newKey(),
      integrationKey: 'tickets',
      timestamp: 1_655_342_199_935,
      deepLink: 'https://example.com/tickets/2',
      title: 'Ticket 2',
      description: 'Why there is this flag',
      metadata: { project: 'SHOP' },
    },
  }),
  updateFlagLink: async (context) => ({
    params: await newFlagLink(context),
    body: replaceValueAt('/title', 'Ticket 3'),
  }),
  deleteFlagLink: async (context) => ({ params: await newFlagLink(context) }),
}
