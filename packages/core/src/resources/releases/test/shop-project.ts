import { releaseProject } from '../../release-pipelines/test/release-project.ts'

/** Creates the flag `checkout` and the pipelines `usual` and `other`. */
export async function shop() {
  const project = await releaseProject()
  await project.create('checkout')
  await project.addPipeline('usual', { name: 'Usual', description: 'First testers' })
  await project.addPipeline('other')
  return project
}
