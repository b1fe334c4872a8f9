import * as v from 'valibot'
import { projects } from '../../models/projects/project.ts'
import { releasePipelines } from '../../models/release-pipelines/release-pipeline.ts'
import { detachQuery } from '../../operation/detach-query.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'

export const deleteReleasePipeline = deleteOperation(releasePipelines, {
  id: 'deleteReleasePipeline',
  summary: 'Delete a release pipeline that is not the default of the project and has no active release',
  path: '/api/v2/projects/{projectKey}/release-pipelines/{pipelineKey}',
  access: { action: 'deleteReleasePipeline', resource: 'proj/{projectKey}:release-pipeline/{pipelineKey}' },
  query: v.object(detachQuery),
  undo: {
    // The entry of the creation contains the change of the project, which is undone with it.
    removesConsequences: false,
    async remove(context, keys, pipeline) {
      await context.demand('deleteReleasePipeline', releasePipelines, keys, pipeline)
      context.tx.remove(releasePipelines, keys, pipeline)
    },
  },
  async also({ tx, fail }, _, keys) {
    const project = (await tx.get(projects, keys)) ?? fail('not_found')
    tx.follow(projects, keys, project, { ...project, releasePipelines: (project.releasePipelines ?? 1) - 1 })
  },
})
