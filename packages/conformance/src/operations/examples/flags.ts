import { type ExampleMakers, type Examples, replacing } from '../example.ts'
import { newProject } from './projects.ts'

/** Creates a project with a flag. */
export async function newFlag(world: Examples): Promise<Record<string, string>> {
  const { projectKey } = await newProject(world)
  const featureFlagKey = world.fresh()
  await world.call('createFlag', {
    params: { projectKey },
    body: { key: featureFlagKey, name: 'Checkout', tags: ['shop'] },
  })
  return { projectKey, featureFlagKey }
}

/** Creates a migration flag of six stages that is off in all environments. */
async function newMigration(world: Examples): Promise<{ params: Record<string, string>; stages: string[] }> {
  const { projectKey } = await newProject(world)
  const flagKey = world.fresh()
  const migrationSettings = { stageCount: 6, contextKind: 'organization' }
  const { variations } = await world.call<{ variations: { _id: string }[] }>('createFlag', {
    params: { projectKey },
    body: { key: flagKey, name: 'Orders', purpose: 'migration', migrationSettings },
  })
  const stages = variations.map(({ _id }) => _id)
  return { params: { projectKey, flagKey, environmentKey: 'production' }, stages }
}

/** Creates a flag that is a prerequisite of another in production. */
async function newPrerequisite(world: Examples): Promise<Record<string, string>> {
  const params = await newFlag(world)
  const { projectKey = '', featureFlagKey } = params
  const waiting = world.fresh()
  await world.call('createFlag', { params: { projectKey }, body: { key: waiting, name: 'Waiting' } })
  await world.call('patchFlag', {
    params: { projectKey, featureFlagKey: waiting },
    body: replacing('/environments/production/prerequisites', [{ key: featureFlagKey, variation: 0 }]),
  })
  return params
}

/** A time in the year 2100, ms. */
const farOff = 4_102_444_800_000

/** Creates a flag that targets two users in production, one of them with an expiry date. */
async function newTargetedFlag(world: Examples) {
  const place = await newFlag(world)
  const values = ['user-1', 'user-2']
  const { variations } = await world.call<{ variations: { _id: string }[] }>('patchFlag', {
    params: place,
    body: replacing('/environments/production/targets', [{ values, variation: 0 }]),
  })
  const variationId = variations[0]?._id ?? ''
  const params: Record<string, string> = { ...place, environmentKey: 'production' }
  const target = { variationId, contextKind: 'user', contextKey: 'user-2', value: farOff }
  await world.call('patchExpiringTargets', {
    params,
    body: { instructions: [{ kind: 'addExpiringTarget', ...target }] },
  })
  return { params, variationId }
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
  postMigrationSafetyIssues: async (world) => {
    const { params, stages } = await newMigration(world)
    const rollout = { rolloutWeights: { [stages[3] ?? '']: 100_000 }, rolloutContextKind: 'organization' }
    const clauses = [{ contextKind: 'organization', attribute: 'key', op: 'in', values: ['acme'] }]
    return {
      params,
      mediaType: 'application/json; domain-model=svc.semanticpatch',
      body: { comment: 'what if', instructions: [{ kind: 'addRule', clauses, ...rollout }] },
    }
  },
  copyFlag: async (world) => ({
    params: await newFlag(world),
    body: {
      comment: 'as in test',
      source: { key: 'test', currentVersion: 1 },
      target: { key: 'production' },
      excludedActions: ['updateOn'],
    },
  }),
  listDependentFlags: async (world) => ({ params: await newPrerequisite(world) }),
  listDependentFlagsByEnvironment: async (world) => ({
    params: { ...(await newPrerequisite(world)), environmentKey: 'production' },
  }),
  getFlagStatus: async (world) => ({ params: { ...(await newFlag(world)), environmentKey: 'production' } }),
  listFlagStatuses: async (world) => {
    const { projectKey = '' } = await newFlag(world)
    return { params: { projectKey, environmentKey: 'test' }, query: { limit: '5' } }
  },
  getExpiringTargets: async (world) => ({ params: (await newTargetedFlag(world)).params }),
  patchExpiringTargets: async (world) => {
    const { params, variationId } = await newTargetedFlag(world)
    const target = { variationId, contextKind: 'user', contextKey: 'user-1' }
    return { params, body: { instructions: [{ kind: 'addExpiringTarget', ...target, value: farOff }] } }
  },
  getExpiringUserTargets: async (world) => ({ params: (await newTargetedFlag(world)).params }),
  patchExpiringUserTargets: async (world) => {
    const { params, variationId } = await newTargetedFlag(world)
    const target = { variationId, userKey: 'user-1' }
    return { params, body: { instructions: [{ kind: 'addExpireUserTargetDate', ...target, value: farOff }] } }
  },
  getFlagStatusAcrossEnvironments: async (world) => ({ params: await newFlag(world), query: { env: 'production' } }),
}
