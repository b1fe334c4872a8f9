import { type ExampleContext, type ExampleMakers, replaceValueAt } from '../example.ts'
import { newFlag } from './flags.ts'
import { newProject } from './projects.ts'

const phases = [
  { name: 'Testing', audiences: [{ environmentKey: 'test', name: 'Testers' }] },
  {
    name: 'Production',
    audiences: [
      {
        environmentKey: 'production',
        name: 'Everybody',
        configuration: {
          releaseStrategy: 'monitoredRelease',
          requireApproval: false,
          releaseGuardianConfiguration: {
            monitoringWindowMilliseconds: 60_000,
            rolloutWeight: 50,
            rollbackOnRegression: true,
          },
        },
      },
    ],
    configuration: { note: 'after a day' },
  },
]

async function addPipeline(context: ExampleContext, projectKey: string, overrides: object = {}): Promise<string> {
  const key = context.newKey()
  await context.call('createReleasePipeline', {
    params: { projectKey },
    body: { key, name: 'Usual', phases, ...overrides },
  })
  return key
}

/** Creates a project with a release pipeline, which is its default. */
async function newPipeline(context: ExampleContext): Promise<Record<'projectKey' | 'pipelineKey', string>> {
  const { projectKey } = await newProject(context)
  return { projectKey, pipelineKey: await addPipeline(context, projectKey) }
}

interface ReleaseParams {
  readonly projectKey: string
  readonly flagKey: string
  readonly pipelineKey: string
}

/** Creates a flag, and a pipeline that can release it. */
async function newFlagAndPipeline(context: ExampleContext, overrides: object = {}): Promise<ReleaseParams> {
  const { projectKey = '', flagKey = '' } = await newFlag(context)
  return { projectKey, flagKey, pipelineKey: await addPipeline(context, projectKey, overrides) }
}

async function newRelease(
  context: ExampleContext,
  overrides: object = {},
): Promise<ReleaseParams & { readonly phaseId: string }> {
  const { pipelineKey, ...params } = await newFlagAndPipeline(context, overrides)
  const body = { releasePipelineKey: pipelineKey }
  const release = await context.call<{ phases: { _id: string }[] }>('putRelease', { params, body })
  return { ...params, pipelineKey, phaseId: release.phases[0]?._id ?? '' }
}

const releaseOf = async (context: ExampleContext, overrides: object = {}) => {
  const { projectKey, flagKey } = await newRelease(context, overrides)
  return { params: { projectKey, flagKey } }
}

async function newPolicy(context: ExampleContext): Promise<Record<'projectKey' | 'policyKey', string>> {
  const { projectKey } = await newProject(context)
  return { projectKey, policyKey: await addPolicy(context, projectKey) }
}

async function addPolicy(context: ExampleContext, projectKey: string): Promise<string> {
  const policyKey = context.newKey()
  const body = {
    key: policyKey,
    name: 'Careful',
    releaseMethod: 'guarded-release',
    scope: { environmentKeys: ['production'] },
    guardedReleaseConfig: { minSampleSize: 100, stages: [{ allocation: 25_000, durationMillis: 60_000 }] },
  }
  await context.call('createReleasePolicy', { params: { projectKey }, body })
  return policyKey
}

export const releaseExamples: ExampleMakers = {
  listReleasePipelines: async (context) => {
    const { projectKey } = await newPipeline(context)
    return { params: { projectKey }, query: { filter: 'query:usual,env:test', limit: '5' } }
  },
  createReleasePipeline: async (context) => ({
    params: await newProject(context),
    body: { key: context.newKey(), name: 'Usual', description: 'First testers', tags: ['example'], phases },
  }),
  getReleasePipeline: async (context) => ({ params: await newPipeline(context) }),
  putReleasePipeline: async (context) => ({
    params: await newPipeline(context),
    body: { name: 'Quick', phases: phases.slice(1), tags: ['quick'] },
  }),
  patchReleasePipeline: async (context) => ({
    params: await newPipeline(context),
    body: replaceValueAt('/phases/0/name', 'Testers first'),
  }),
  deleteReleasePipeline: async (context) => {
    const { projectKey } = await newPipeline(context)
    return { params: { projectKey, pipelineKey: await addPipeline(context, projectKey) } }
  },

  listReleases: async (context) => {
    const { projectKey, pipelineKey } = await newRelease(context)
    return { params: { projectKey, pipelineKey }, query: { filter: 'status:active', limit: '5' } }
  },
  getRelease: (context) => releaseOf(context),
  putRelease: async (context) => {
    const { pipelineKey, ...params } = await newFlagAndPipeline(context)
    return { params, body: { releasePipelineKey: pipelineKey } }
  },
  patchRelease: async (context) => ({
    ...(await releaseOf(context, { isLegacy: true })),
    body: replaceValueAt('/phases/0/complete', true),
  }),
  putPhaseStatus: async (context) => {
    const { pipelineKey: _, ...params } = await newRelease(context)
    return { params, body: { status: 'Started' } }
  },
  deleteRelease: (context) => releaseOf(context),

  listReleasePolicies: async (context) => {
    const { projectKey } = await newPolicy(context)
    return { params: { projectKey }, query: { excludeDefault: 'true', limit: '5' } }
  },
  createReleasePolicy: async (context) => ({
    params: await newProject(context),
    body: { key: context.newKey(), name: 'Default', releaseMethod: 'immediate-release' },
  }),
  orderReleasePolicies: async (context) => {
    const { projectKey, policyKey } = await newPolicy(context)
    return { params: { projectKey }, body: [await addPolicy(context, projectKey), policyKey] }
  },
  getReleasePolicy: async (context) => ({ params: await newPolicy(context) }),
  putReleasePolicy: async (context) => ({
    params: await newPolicy(context),
    body: {
      name: 'Step by step',
      releaseMethod: 'progressive-release',
      scope: { flagTagKeys: ['shop'] },
      progressiveReleaseConfig: { rolloutContextKindKey: 'user', stages: [] },
    },
  }),
  deleteReleasePolicy: async (context) => ({ params: await newPolicy(context) }),
}
