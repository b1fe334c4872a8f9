import { audience, releaseProject } from '../../release-pipelines/test/release-project.ts'

/** Creates the flag `checkout` and its release in a pipeline with these phases. */
export async function releasing(phases: readonly object[], more: object = {}) {
  const project = await releaseProject()
  await project.create('checkout')
  for (const environmentKey of ['production', 'test']) await project.segment('beta', environmentKey)
  await project.addPipeline('usual', { name: 'Usual', phases, ...more })
  const { phases: shown } = await project.release('checkout', 'usual')
  return { ...project, ids: shown.map(({ _id }) => _id) }
}

/** One phase for all environments. */
export const everywhere = [{ name: 'One', audiences: [audience('test'), audience('production')] }]

/** Three consecutive phases. */
export const inTurn = [
  { name: 'Testing', audiences: [audience('test')] },
  { name: 'Beta', audiences: [audience('production', { segmentKeys: ['beta'] })] },
  { name: 'Everybody', audiences: [audience('production')] },
]

/** The phase with a segment. */
export const betaOnly = inTurn.slice(1, 2)
