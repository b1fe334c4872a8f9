import { type ExampleMakers, type Examples, replacing } from '../example.ts'
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

async function addPipeline(world: Examples, projectKey: string, more: object = {}): Promise<string> {
  const key = world.fresh()
  await world.call('createReleasePipeline', { params: { projectKey }, body: { key, name: 'Usual', phases, ...more } })
  return key
}

/** Creates a project with a release pipeline, which is its default. */
async function newPipeline(world: Examples): Promise<Record<'projectKey' | 'pipelineKey', string>> {
  const { projectKey } = await newProject(world)
  return { projectKey, pipelineKey: await addPipeline(world, projectKey) }
}

interface Placed {
  readonly projectKey: string
  readonly flagKey: string
  readonly pipelineKey: string
}

/** Creates a flag, and a pipeline that can release it. */
async function newFlagAndPipeline(world: Examples, more: object = {}): Promise<Placed> {
  const { projectKey = '', featureFlagKey = '' } = await newFlag(world)
  return { projectKey, flagKey: featureFlagKey, pipelineKey: await addPipeline(world, projectKey, more) }
}

async function newRelease(world: Examples, more: object = {}): Promise<Placed & { readonly phaseId: string }> {
  const { pipelineKey, ...params } = await newFlagAndPipeline(world, more)
  const body = { releasePipelineKey: pipelineKey }
  const release = await world.call<{ phases: { _id: string }[] }>('putRelease', { params, body })
  return { ...params, pipelineKey, phaseId: release.phases[0]?._id ?? '' }
}

const releaseOf = async (world: Examples, more: object = {}) => {
  const { projectKey, flagKey } = await newRelease(world, more)
  return { params: { projectKey, flagKey } }
}

async function newPolicy(world: Examples): Promise<Record<'projectKey' | 'policyKey', string>> {
  const { projectKey } = await newProject(world)
  return { projectKey, policyKey: await addPolicy(world, projectKey) }
}

async function addPolicy(world: Examples, projectKey: string): Promise<string> {
  const policyKey = world.fresh()
  const body = {
    key: policyKey,
    name: 'Careful',
    releaseMethod: 'guarded-release',
    scope: { environmentKeys: ['production'] },
    guardedReleaseConfig: { minSampleSize: 100, stages: [{ allocation: 25_000, durationMillis: 60_000 }] },
  }
  await world.call('createReleasePolicy', { params: { projectKey }, body })
  return policyKey
}

export const releaseExamples: ExampleMakers = {
  listReleasePipelines: async (world) => {
    const { projectKey } = await newPipeline(world)
    return { params: { projectKey }, query: { filter: 'query:usual,env:test', limit: '5' } }
  },
  createReleasePipeline: async (world) => ({
    params: await newProject(world),
    body: { key: world.fresh(), name: 'Usual', description: 'First testers', tags: ['example'], phases },
  }),
  getReleasePipeline: async (world) => ({ params: await newPipeline(world) }),
  putReleasePipeline: async (world) => ({
    params: await newPipeline(world),
    body: { name: 'Quick', phases: phases.slice(1), tags: ['quick'] },
  }),
  patchReleasePipeline: async (world) => ({
    params: await newPipeline(world),
    body: replacing('/phases/0/name', 'Testers first'),
  }),
  deleteReleasePipeline: async (world) => {
    const { projectKey } = await newPipeline(world)
    return { params: { projectKey, pipelineKey: await addPipeline(world, projectKey) } }
  },

  listReleases: async (world) => {
    const { projectKey, pipelineKey } = await newRelease(world)
    return { params: { projectKey, pipelineKey }, query: { filter: 'status:active', limit: '5' } }
  },
  getRelease: (world) => releaseOf(world),
  putRelease: async (world) => {
    const { pipelineKey, ...params } = await newFlagAndPipeline(world)
    return { params, body: { releasePipelineKey: pipelineKey } }
  },
  patchRelease: async (world) => ({
    ...(await releaseOf(world, { isLegacy: true })),
    body: replacing('/phases/0/complete', true),
  }),
  putPhaseStatus: async (world) => {
    const { pipelineKey: _, ...params } = await newRelease(world)
    return { params, body: { status: 'Started' } }
  },
  deleteRelease: (world) => releaseOf(world),

  listReleasePolicies: async (world) => {
    const { projectKey } = await newPolicy(world)
    return { params: { projectKey }, query: { excludeDefault: 'true', limit: '5' } }
  },
  createReleasePolicy: async (world) => ({
    params: await newProject(world),
    body: { key: world.fresh(), name: 'Default', releaseMethod: 'immediate-release' },
  }),
  orderReleasePolicies: async (world) => {
    const { projectKey, policyKey } = await newPolicy(world)
    return { params: { projectKey }, body: [await addPolicy(world, projectKey), policyKey] }
  },
  getReleasePolicy: async (world) => ({ params: await newPolicy(world) }),
  putReleasePolicy: async (world) => ({
    params: await newPolicy(world),
    body: {
      name: 'Step by step',
      releaseMethod: 'progressive-release',
      scope: { flagTagKeys: ['shop'] },
      progressiveReleaseConfig: { rolloutContextKindKey: 'user', stages: [] },
    },
  }),
  deleteReleasePolicy: async (world) => ({ params: await newPolicy(world) }),
}
