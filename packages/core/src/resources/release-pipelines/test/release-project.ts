import type { As } from '../../../index.ts'
import { flagProject } from '../../flags/test/flag-project.ts'

/** Settings by which a guarded release rolls back. */
export const guardian = {
  monitoringWindowMilliseconds: 60_000,
  rolloutWeight: 50,
  rollbackOnRegression: true,
  randomizationUnit: 'user',
}

export const audience = (environmentKey: string, overrides: object = {}) => ({
  environmentKey,
  name: `All of ${environmentKey}`,
  ...overrides,
})

/** Two phases: the environment of testers, then production. */
export const twoPhases = [
  { name: 'Testing', audiences: [audience('test')] },
  { name: 'Everybody', audiences: [audience('production')] },
]

export const beta = { 'svc-api-version': 'beta' }

export type ReleaseProject = Awaited<ReturnType<typeof releaseProject>>

/**
 * Makes the project `web`, with functions that call the operations of its release pipelines, releases and release
 * policies.
 */
export async function releaseProject() {
  const project = await flagProject()
  const { api, as } = project
  const projectKey = 'web'
  const pipelineKeys = (pipelineKey: string) => ({ projectKey, pipelineKey })
  const flagKeys = (flagKey: string) => ({ projectKey, flagKey })
  const policyKeys = (policyKey: string) => ({ projectKey, policyKey })

  return {
    ...project,
    at: pipelineKeys,
    ofFlag: flagKeys,
    ofPolicy: policyKeys,
    addPipeline: (key: string, overrides: object = {}, caller: As = as) =>
      api.createReleasePipeline(
        { projectKey, body: { key, name: key, phases: twoPhases, ...overrides } },
        { as: caller },
      ),
    getPipeline: (key: string) => api.getReleasePipeline(pipelineKeys(key), { as }),
    putPipeline: (key: string, overrides: object = {}, caller: As = as) =>
      api.putReleasePipeline(
        { ...pipelineKeys(key), body: { name: key, phases: twoPhases, ...overrides } },
        { as: caller },
      ),
    patchPipeline: (key: string, operations: readonly object[], caller: As = as) =>
      api.patchReleasePipeline({ ...pipelineKeys(key), body: operations as never }, { as: caller }),
    deletePipeline: (key: string, caller: As = as) => api.deleteReleasePipeline(pipelineKeys(key), { as: caller }),
    listPipelines: (query: object = {}) => api.listReleasePipelines({ projectKey, ...query }, { as }),
    release: (flagKey: string, releasePipelineKey: string, overrides: object = {}, caller: As = as) =>
      api.putRelease({ ...flagKeys(flagKey), body: { releasePipelineKey, ...overrides } }, { as: caller }),
    getRelease: (flagKey: string) => api.getRelease(flagKeys(flagKey), { as }),
    /** Sets the status of a phase, given by its index. */
    async advance(flagKey: string, phase: number, status: string, overrides: object = {}, caller: As = as) {
      const { phases } = await api.getRelease(flagKeys(flagKey), { as })
      const phaseId = phases[phase]?._id ?? ''
      return api.putPhaseStatus(
        { ...flagKeys(flagKey), phaseId, body: { status, ...overrides } as never },
        { as: caller },
      )
    },
    addPolicy: (key: string, overrides: object = {}, caller: As = as) =>
      api.createReleasePolicy(
        { projectKey, body: { key, name: key, releaseMethod: 'immediate-release', ...overrides } },
        { as: caller },
      ),
    getPolicy: (key: string) => api.getReleasePolicy(policyKeys(key), { as }),
    listPolicies: (query: object = {}) => api.listReleasePolicies({ projectKey, ...query }, { as }),
  }
}
