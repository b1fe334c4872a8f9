import type { ExampleContext, ExampleMakers } from '../example.ts'
import { newFlag } from './flags.ts'

const executionDate = 8_000_000_000_000

const schedule = { executionDate, comment: 'on the day', instructions: [{ kind: 'turnFlagOn' }] }

async function newFlagParams(context: ExampleContext): Promise<Record<string, string>> {
  return { ...(await newFlag(context)), environmentKey: 'production' }
}

async function newScheduledChange(context: ExampleContext): Promise<Record<string, string>> {
  const params = await newFlagParams(context)
  const { _id } = await context.call<{ _id: string }>('createScheduledChange', { params, body: schedule })
  return { ...params, id: _id }
}

export const scheduledChangeExamples: ExampleMakers = {
  listScheduledChanges: async (context) => {
    const { id: _, ...params } = await newScheduledChange(context)
    return { params, query: { limit: '5' } }
  },
  createScheduledChange: async (context) => ({ params: await newFlagParams(context), body: schedule }),
  getScheduledChange: async (context) => ({ params: await newScheduledChange(context) }),
  patchScheduledChange: async (context) => ({
    params: await newScheduledChange(context),
    mediaType: 'application/json; domain-model=svc.semanticpatch',
    body: { instructions: [{ kind: 'updateScheduledChangesExecutionDate', value: executionDate + 1 }] },
  }),
  deleteScheduledChange: async (context) => ({ params: await newScheduledChange(context) }),
}
