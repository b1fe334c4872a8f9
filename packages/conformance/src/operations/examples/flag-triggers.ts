import type { ExampleContext, ExampleMakers } from '../example.ts'
import { newFlag } from './flags.ts'

const trigger = { integrationKey: 'generic-trigger', comment: 'for alerts', instructions: [{ kind: 'turnFlagOn' }] }

async function newFlagParams(context: ExampleContext): Promise<Record<string, string>> {
  return { ...(await newFlag(context)), environmentKey: 'production' }
}

async function newTrigger(context: ExampleContext) {
  const params = await newFlagParams(context)
  const { _id, triggerURL } = await context.call<{ _id: string; triggerURL: string }>('createFlagTrigger', {
    params,
    body: trigger,
  })
  return { params: { ...params, id: _id }, secret: triggerURL.split('/').at(-1) ?? '' }
}

export const flagTriggerExamples: ExampleMakers = {
  listFlagTriggers: async (context) => {
    const { id: _, ...params } = (await newTrigger(context)).params
    return { params, query: { limit: '5' } }
  },
  createFlagTrigger: async (context) => ({ params: await newFlagParams(context), body: trigger }),
  getFlagTrigger: async (context) => ({ params: (await newTrigger(context)).params }),
  patchFlagTrigger: async (context) => ({
    params: (await newTrigger(context)).params,
    mediaType: 'application/json; domain-model=svc.semanticpatch',
    body: { instructions: [{ kind: 'disableTrigger' }] },
  }),
  deleteFlagTrigger: async (context) => ({ params: (await newTrigger(context)).params }),
  invokeFlagTrigger: async (context) => {
    const { params, secret } = await newTrigger(context)
    return { params: { id: params.id, secret } }
  },
}
