import { audience, releaseProject } from '../../release-pipelines/test/release-project.ts'

/** Creates the flag `checkout` and its release in a pipeline with these phases. */
export async function releasingProject(phases: readonly object[], overrides: object = {}) {
  const project = await releaseProject()
  await project.create('checkout')
  for (const environmentKey of ['production', 'test']) await project.segment('beta', environmentKey)
  await project.addPipeline('usual', { name: 'Usual', phases, ...overrides })
  const { phases: phaseResponses } = await project.release('checkout', 'usual')
  return { ...project, ids: phaseResponses.map(({ _id }) => _id) }
}

/** One phase for all environments. */
export const allEnvironments = [{ name: 'One', audiences: [audience('test'), audience('production')] }]

/** Three consecutive phases. */
export const threePhases = [
  { name: 'Testing', audiences: [audience('test')] },
  { name: 'Beta', audiences: [audience('production', { segmentKeys: ['beta'] })] },
  { name: 'Everybody', audiences: [audience('production')] },
]

/** The phase with a segment. */
export const betaOnly = threePhases.slice(1, 2)
