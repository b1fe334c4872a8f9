import type { ExampleMakers, Examples } from '../example.ts'
import { newFlag } from './flags.ts'

const executionDate = 8_000_000_000_000

const schedule = { executionDate, comment: 'on the day', instructions: [{ kind: 'turnFlagOn' }] }

async function newPlace(world: Examples): Promise<Record<string, string>> {
  return { ...(await newFlag(world)), environmentKey: 'production' }
}

async function newScheduledChange(world: Examples): Promise<Record<string, string>> {
  const params = await newPlace(world)
  const { _id } = await world.call<{ _id: string }>('createScheduledChange', { params, body: schedule })
  return { ...params, id: _id }
}

export const scheduledChangeExamples: ExampleMakers = {
  listScheduledChanges: async (world) => {
    const { id: _, ...params } = await newScheduledChange(world)
    return { params, query: { limit: '5' } }
  },
  createScheduledChange: async (world) => ({ params: await newPlace(world), body: schedule }),
  getScheduledChange: async (world) => ({ params: await newScheduledChange(world) }),
  patchScheduledChange: async (world) => ({
    params: await newScheduledChange(world),
    mediaType: 'application/json; domain-model=svc.semanticpatch',
    body: { instructions: [{ kind: 'updateScheduledChangesExecutionDate', value: executionDate + 1 }] },
  }),
  deleteScheduledChange: async (world) => ({ params: await newScheduledChange(world) }),
}
