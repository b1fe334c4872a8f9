import type { ExampleMakers, Examples } from '../example.ts'
import { newProject } from './projects.ts'

/** A flag in a project of its own. */
export async function newFlag(world: Examples): Promise<Record<string, string>> {
  const { projectKey } = await newProject(world)
  const featureFlagKey = world.fresh()
  await world.call('createFlag', {
    params: { projectKey },
    body: { key: featureFlagKey, name: 'Checkout', tags: ['shop'] },
  })
  return { projectKey, featureFlagKey }
}

export const flagExamples: ExampleMakers = {
  listFlags: async (world) => {
    const { projectKey = '' } = await newFlag(world)
    return {
      params: { projectKey },
      query: { env: 'production,test', summary: '0', filter: 'tags:shop', sort: '-creationDate' },
    }
  },
  createFlag: async (world) => ({
    params: await newProject(world),
    body: {
      key: world.fresh(),
      name: 'Price',
      description: 'What checkout costs',
      variations: [
        { value: 1, name: 'Low' },
        { value: 2, name: 'High' },
      ],
      defaults: { onVariation: 1, offVariation: 0 },
      temporary: false,
      tags: ['shop'],
    },
  }),
  getFlag: async (world) => ({ params: await newFlag(world) }),
  patchFlag: async (world) => ({
    params: await newFlag(world),
    mediaType: 'application/json; domain-model=svc.semanticpatch',
    body: { comment: 'launch', environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] },
  }),
  deleteFlag: async (world) => ({ params: await newFlag(world) }),
}
