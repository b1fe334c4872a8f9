import { type ExampleContext, type ExampleMakers, replaceValueAt } from '../example.ts'
import { newProject } from './projects.ts'

/** Creates a project with a flag. */
export async function newFlag(context: ExampleContext): Promise<Record<string, string>> {
  const { projectKey } = await newProject(context)
  const flagKey = context.newKey()
  await context.call('createFlag', {
    params: { projectKey },
    body: { key: flagKey, name: 'Checkout', tags: ['shop'] },
  })
  return { projectKey, flagKey }
}

/** Creates a migration flag of six stages that is off in all environments. */
async function newMigration(context: ExampleContext): Promise<{ params: Record<string, string>; stages: string[] }> {
  const { projectKey } = await newProject(context)
  const flagKey = context.newKey()
  const migrationSettings = { stageCount: 6, contextKind: 'organization' }
  const { variations } = await context.call<{ variations: { _id: string }[] }>('createFlag', {
    params: { projectKey },
    body: { key: flagKey, name: 'Orders', purpose: 'migration', migrationSettings },
  })
  const stages = variations.map(({ _id }) => _id)
  return { params: { projectKey, flagKey, environmentKey: 'production' }, stages }
}

/** Creates a flag that is a prerequisite of another in production. */
async function newPrerequisite(context: ExampleContext): Promise<Record<string, string>> {
  const params = await newFlag(context)
  const { projectKey = '', flagKey } = params
  const dependentKey = context.newKey()
  await context.call('createFlag', { params: { projectKey }, body: { key: dependentKey, name: 'Waiting' } })
  await context.call('patchFlag', {
    params: { projectKey, flagKey: dependentKey },
    body: replaceValueAt('/environments/production/prerequisites', [{ key: flagKey, variation: 0 }]),
  })
  return params
}

/** A time in the year 2100, ms. */
const futureTime = 4_102_444_800_000

/** Creates a flag that targets two users in production, one of them with an expiry date. */
async function newTargetedFlag(context: ExampleContext) {
  const flagParams = await newFlag(context)
  const values = ['user-1', 'user-2']
  const { variations } = await context.call<{ variations: { _id: string }[] }>('patchFlag', {
    params: flagParams,
    body: replaceValueAt('/environments/production/targets', [{ values, variation: 0 }]),
  })
  const variationId = variations[0]?._id ?? ''
  const params: Record<string, string> = { ...flagParams, environmentKey: 'production' }
  const target = { variationId, contextKind: 'user', contextKey: 'user-2', value: futureTime }
  await context.call('patchExpiringTargets', {
    params,
    body: { instructions: [{ kind: 'addExpiringTarget', ...target }] },
  })
  return { params, variationId }
}

export const flagExamples: ExampleMakers = {
  getFlagManifest: async (context) => {
    const { projectKey = '' } = await newFlag(context)
    return { params: { projectKey } }
  },
  listFlags: async (context) => {
    const { projectKey = '' } = await newFlag(context)
    return {
      params: { projectKey },
      query: { env: 'production,test', summary: '0', filter: 'tags:shop', sort: '-creationDate' },
    }
  },
  createFlag: async (context) => ({
    params: await newProject(context),
    body: {
      key: context.newKey(),
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
  getFlag: async (context) => ({ params: await newFlag(context) }),
  patchFlag: async (context) => ({
    params: await newFlag(context),
    mediaType: 'application/json; domain-model=svc.semanticpatch',
    body: { comment: 'launch', environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] },
  }),
  deleteFlag: async (context) => ({ params: await newFlag(context) }),
  postMigrationSafetyIssues: async (context) => {
    const { params, stages } = await newMigration(context)
    const rollout = { rolloutWeights: { [stages[3] ?? '']: 100_000 }, rolloutContextKind: 'organization' }
    const clauses = [{ contextKind: 'organization', attribute: 'key', op: 'in', values: ['acme'] }]
    return {
      params,
      mediaType: 'application/json; domain-model=svc.semanticpatch',
      body: { comment: 'what if', instructions: [{ kind: 'addRule', clauses, ...rollout }] },
    }
  },
  copyFlag: async (context) => ({
    params: await newFlag(context),
    body: {
      comment: 'as in test',
      source: { key: 'test', currentVersion: 1 },
      target: { key: 'production' },
      excludedActions: ['updateOn'],
    },
  }),
  listDependentFlags: async (context) => ({ params: await newPrerequisite(context) }),
  listDependentFlagsByEnvironment: async (context) => ({
    params: { ...(await newPrerequisite(context)), environmentKey: 'production' },
  }),
  getFlagStatus: async (context) => ({ params: { ...(await newFlag(context)), environmentKey: 'production' } }),
  getEvaluationsUsage: async (context) => ({
    params: { ...(await newFlag(context)), environmentKey: 'production' },
    query: { tz: 'Europe/Berlin' },
  }),
  listFlagStatuses: async (context) => {
    const { projectKey = '' } = await newFlag(context)
    return { params: { projectKey, environmentKey: 'test' }, query: { limit: '5' } }
  },
  getExpiringTargets: async (context) => ({ params: (await newTargetedFlag(context)).params }),
  patchExpiringTargets: async (context) => {
    const { params, variationId } = await newTargetedFlag(context)
    const target = { variationId, contextKind: 'user', contextKey: 'user-1' }
    return { params, body: { instructions: [{ kind: 'addExpiringTarget', ...target, value: futureTime }] } }
  },
  getExpiringUserTargets: async (context) => ({ params: (await newTargetedFlag(context)).params }),
  patchExpiringUserTargets: async (context) => {
    const { params, variationId } = await newTargetedFlag(context)
    const target = { variationId, userKey: 'user-1' }
    return { params, body: { instructions: [{ kind: 'addExpireUserTargetDate', ...target, value: futureTime }] } }
  },
  getExpiringFlagsForUser: async (context) => {
    const { flagKey: _, ...params } = (await newTargetedFlag(context)).params
    return { params: { ...params, userKey: 'user-2' } }
  },
  patchExpiringFlagsForUser: async (context) => {
    const { params, variationId } = await newTargetedFlag(context)
    const { flagKey, ...environment } = params
    const instruction = { kind: 'addExpireUserTargetDate', flagKey, variationId, value: futureTime }
    return { params: { ...environment, userKey: 'user-1' }, body: { instructions: [instruction] } }
  },
  getFlagStatusAcrossEnvironments: async (context) => ({
    params: await newFlag(context),
    query: { env: 'production' },
  }),
}
