import { projects } from '../../models/projects/project.ts'
import { releasePipelines } from '../../models/release-pipelines/release-pipeline.ts'
import { releases, releasesIn } from '../../models/releases/release.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'

export const deleteReleasePipeline = deleteOperation(releasePipelines, {
  id: 'deleteReleasePipeline',
  summary: 'Delete a release pipeline that is not the default of the project and has no active release',
  path: '/api/v2/projects/{projectKey}/release-pipelines/{pipelineKey}',
  access: { action: 'deleteReleasePipeline', resource: 'proj/{projectKey}:release-pipeline/{pipelineKey}' },
  async also({ tx, fail }, { id, key }, keys) {
    const [storedProject, { items }] = await Promise.all([
      tx.get(projects, keys),
      tx.listRows(releases, keys, { where: releasesIn(id, 'active'), limit: 1 }),
    ])
    const project = storedProject ?? fail('not_found')
    if (project.defaultReleasePipelineKey === key) {
      fail('optimistic_locking_error', { message: `${key} is the default release pipeline of the project` })
    }
    const [release] = items
    if (release) fail('optimistic_locking_error', { message: `${release.key} is being released in ${key}` })
    tx.follow(projects, keys, project, { ...project, releasePipelines: (project.releasePipelines ?? 1) - 1 })
  },
})
