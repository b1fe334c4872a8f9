import { type Project, projects } from '../../models/projects/project.ts'
import { type ReleasePipeline, releasePipelines } from '../../models/release-pipelines/release-pipeline.ts'
import { releases, releasesIn } from '../../models/releases/release.ts'
import type { Context } from '../../operation/context.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'
import type { Writer } from '../../storage/writer.ts'
import type { PipelineKeys } from './release-pipeline-schema.ts'

export const deleteReleasePipeline = deleteOperation(releasePipelines, {
  id: 'deleteReleasePipeline',
  summary: 'Delete a release pipeline that is not the default of the project and has no active release',
  path: '/api/v2/projects/{projectKey}/release-pipelines/{pipelineKey}',
  access: { action: 'deleteReleasePipeline', resource: 'proj/{projectKey}:release-pipeline/{pipelineKey}' },
  undo: {
    // The entry of the creation contains the change of the project, which is undone with it.
    removesConsequences: false,
    async remove(context, keys, pipeline, { documents }) {
      const { tx } = context
      await context.demand('deleteReleasePipeline', releasePipelines, keys, pipeline)
      const wanted = documents.find(({ collection }) => collection.name === projects.name)?.wanted
      // Cast: the collection determines the type.
      const project = (wanted as Project | undefined) ?? (await tx.get(projects, keys)) ?? context.fail('not_found')
      await requireUnused(context, keys, project, pipeline)
      tx.remove(releasePipelines, keys, pipeline)
    },
  },
  async also(context, pipeline, keys) {
    const { tx, fail } = context
    const project = (await tx.get(projects, keys)) ?? fail('not_found')
    await requireUnused(context, keys, project, pipeline)
    tx.follow(projects, keys, project, { ...project, releasePipelines: (project.releasePipelines ?? 1) - 1 })
  },
})

/** Requires that a pipeline is not the default of its project, and has no active release. */
async function requireUnused(
  { tx, fail }: Pick<Context<Writer, 'optimistic_locking_error'>, 'tx' | 'fail'>,
  keys: PipelineKeys,
  project: Project,
  { id, key }: ReleasePipeline,
): Promise<void> {
  if (project.defaultReleasePipelineKey === key) {
    fail('optimistic_locking_error', { message: `${key} is the default release pipeline of the project` })
  }
  const { items } = await tx.listRows(releases, keys, { where: releasesIn(id, 'active'), limit: 1 })
  const [release] = items
  if (release) fail('optimistic_locking_error', { message: `${release.key} is being released in ${key}` })
}
