import { releaseProject } from '../../release-pipelines/test/release-project.ts'

/** Creates the flag `checkout` and the pipelines `usual` and `other`. */
export async function shopProject() {
  const project = await releaseProject()
  await project.create('checkout')
  await project.addPipeline('usual', { name: 'Usual', description: 'First testers' })
  await project.addPipeline('other')
  return project
}
