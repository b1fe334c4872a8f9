import type { ExampleContext, ExampleMakers } from '../example.ts'
import { newFlag } from './flags.ts'
import { newMember } from './members.ts'

/** Creates a flag without followers, and a member. */
async function newParams(context: ExampleContext): Promise<Record<string, string>> {
  const { id: memberId } = await newMember(context)
  return { ...(await newFlag(context)), environmentKey: 'production', memberId }
}

async function newFollower(context: ExampleContext): Promise<Record<string, string>> {
  const params = await newParams(context)
  await context.call('putFlagFollower', { params })
  return params
}

export const flagFollowerExamples: ExampleMakers = {
  getFlagFollowers: async (context) => {
    const { memberId: _, ...params } = await newFollower(context)
    return { params }
  },
  getFollowersByProjEnv: async (context) => {
    const { projectKey = '', environmentKey = '' } = await newFollower(context)
    return { params: { projectKey, environmentKey }, query: { limit: '5' } }
  },
  putFlagFollower: async (context) => ({ params: await newParams(context) }),
  deleteFlagFollower: async (context) => ({ params: await newFollower(context) }),
}
