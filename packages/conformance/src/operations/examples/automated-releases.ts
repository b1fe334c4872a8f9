import type { ExampleContext, ExampleMakers } from '../example.ts'
import { newFlag } from './flags.ts'

interface Flag {
  readonly variations: readonly { readonly _id: string }[]
  readonly environments: Readonly<Record<string, { readonly automatedReleases?: readonly { readonly id: string }[] }>>
}

/** Starts an automated release, and returns the parameters of its flag and its id. */
async function newRelease(context: ExampleContext): Promise<Record<string, string> & { readonly id: string }> {
  const params = await newFlag(context)
  const { variations } = await context.call<Flag>('getFlag', { params })
  const start = {
    kind: 'startAutomatedRelease',
    releaseKind: 'progressive',
    originalVariationId: variations[1]?._id,
    targetVariationId: variations[0]?._id,
    stages: [{ allocation: 10_000, durationMillis: 3_600_000 }],
  }
  const { environments } = await context.call<Flag>('patchFlag', {
    params,
    mediaType: 'application/json; domain-model=svc.semanticpatch',
    body: { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }, start] },
  })
  const id = environments.production?.automatedReleases?.[0]?.id ?? ''
  return { ...params, environmentKey: 'production', id }
}

export const automatedReleaseExamples: ExampleMakers = {
  listAutomatedReleases: async (context) => {
    const { id: _, ...params } = await newRelease(context)
    return { params, query: { limit: '5' } }
  },
  getAutomatedRelease: async (context) => ({ params: await newRelease(context) }),
  getAutomatedReleaseResults: async (context) => ({ params: await newRelease(context) }),
}
