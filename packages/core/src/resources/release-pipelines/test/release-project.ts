import type { As } from '../../../index.ts'
import { flagProject } from '../../flags/test/flag-project.ts'

/** Settings by which a guarded release rolls back. */
export const guardian = {
  monitoringWindowMilliseconds: 60_000,
  rolloutWeight: 50,
  rollbackOnRegression: true,
  randomizationUnit: 'user',
}

export const audience = (environmentKey: string, more: object = {}) => ({
  environmentKey,
  name: `All of ${environmentKey}`,
  ...more,
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
  const at = (pipelineKey: string) => ({ projectKey, pipelineKey })
  const ofFlag = (flagKey: string) => ({ projectKey, flagKey })
  const ofPolicy = (policyKey: string) => ({ projectKey, policyKey })

  return {
    ...project,
    at,
    ofFlag,
    ofPolicy,
    addPipeline: (key: string, more: object = {}, by: As = as) =>
      api.createReleasePipeline({ projectKey, body: { key, name: key, phases: twoPhases, ...more } }, { as: by }),
    getPipeline: (key: string) => api.getReleasePipeline(at(key), { as }),
    putPipeline: (key: string, more: object = {}, by: As = as) =>
      api.putReleasePipeline({ ...at(key), body: { name: key, phases: twoPhases, ...more } }, { as: by }),
    patchPipeline: (key: string, operations: readonly object[], by: As = as) =>
      api.patchReleasePipeline({ ...at(key), body: operations as never }, { as: by }),
    deletePipeline: (key: string, by: As = as) => api.deleteReleasePipeline(at(key), { as: by }),
    listPipelines: (query: object = {}) => api.listReleasePipelines({ projectKey, ...query }, { as }),
    release: (flagKey: string, releasePipelineKey: string, more: object = {}, by: As = as) =>
      api.putRelease({ ...ofFlag(flagKey), body: { releasePipelineKey, ...more } }, { as: by }),
    getRelease: (flagKey: string) => api.getRelease(ofFlag(flagKey), { as }),
    /** Sets the status of a phase, given by its index. */
    async advance(flagKey: string, phase: number, status: string, more: object = {}, by: As = as) {
      const { phases } = await api.getRelease(ofFlag(flagKey), { as })
      const phaseId = phases[phase]?._id ?? ''
      return api.putPhaseStatus({ ...ofFlag(flagKey), phaseId, body: { status, ...more } as never }, { as: by })
    },
    addPolicy: (key: string, more: object = {}, by: As = as) =>
      api.createReleasePolicy(
        { projectKey, body: { key, name: key, releaseMethod: 'immediate-release', ...more } },
        { as: by },
      ),
    getPolicy: (key: string) => api.getReleasePolicy(ofPolicy(key), { as }),
    listPolicies: (query: object = {}) => api.listReleasePolicies({ projectKey, ...query }, { as }),
  }
}
