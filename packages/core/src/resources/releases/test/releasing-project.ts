import { audience, releaseProject } from '../../release-pipelines/test/release-project.ts'

/** The flag `checkout` in a pipeline of these phases. */
export async function releasing(phases: readonly object[], more: object = {}) {
  const project = await releaseProject()
  await project.create('checkout')
  for (const environmentKey of ['production', 'test']) await project.segment('beta', environmentKey)
  await project.addPipeline('usual', { name: 'Usual', phases, ...more })
  const { phases: shown } = await project.release('checkout', 'usual')
  return { ...project, ids: shown.map(({ _id }) => _id) }
}

/** One phase, of all environments. */
export const everywhere = [{ name: 'One', audiences: [audience('test'), audience('production')] }]

/** Phases of which each begins after the one before. */
export const inTurn = [
  { name: 'Testing', audiences: [audience('test')] },
  { name: 'Beta', audiences: [audience('production', { segmentKeys: ['beta'] })] },
  { name: 'Everybody', audiences: [audience('production')] },
]

/** The one among them that has a segment. */
export const betaOnly = inTurn.slice(1, 2)
