import { type Project, projects } from '../../models/projects/project.ts'
import {
  maxPipelines,
  type ReleasePipeline,
  releasePipelines,
} from '../../models/release-pipelines/release-pipeline.ts'
import type { Context } from '../../operation/context.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { validateReferences } from '../../operation/references.ts'
import type { Writer } from '../../storage/writer.ts'
import { validatePhaseNames } from './complete-pipeline.ts'
import { addedReferences } from './phase-references.ts'
import { pipelineRequest, pipelineResponse, serializePipeline } from './release-pipeline-schema.ts'

export const createReleasePipeline = createOperation(releasePipelines, {
  id: 'createReleasePipeline',
  summary: 'Create a release pipeline; the first one becomes the default of the project',
  path: '/api/v2/projects/{projectKey}/release-pipelines',
  access: { action: 'createReleasePipeline', resource: 'proj/{projectKey}:release-pipeline/{body.key}' },
  within: projects,
  body: pipelineRequest,
  make: (context, { isProjectDefault: _, phases, ...settings }) => ({
    ...settings,
    id: context.useHost().newId(),
    phases: phases.map((phase) => ({ id: context.useHost().newId(), ...phase })),
    holds: 0,
    createdAt: context.readClock(),
  }),
  async after(context, pipeline, { isProjectDefault }, params) {
    const { tx, fail } = context
    const [project, referenceErrors] = await Promise.all([
      tx.get(projects, params),
      validateReferences(tx, addedReferences(params.projectKey, [], pipeline.phases)),
    ])
    const errors = [...validatePhaseNames(pipeline.phases), ...referenceErrors]
    if (errors.length > 0) fail('invalid_request', { errors })
    addToProject(context, project ?? fail('not_found'), pipeline, isProjectDefault)
  },
  response: pipelineResponse,
  serialize: serializePipeline,
})

/**
 * Increments the number of pipelines of the project, and makes the new pipeline the default if it is the first one or
 * the caller requests that. Replacing the default pipeline is a change of the project, which requires an action of its
 * own.
 */
function addToProject(
  { tx, fail }: Context<Writer, 'invalid_request'>,
  project: Project,
  { key }: ReleasePipeline,
  asDefault: boolean,
): void {
  const count = project.releasePipelines ?? 0
  if (count >= maxPipelines) {
    fail('invalid_request', { message: `A project can have at most ${maxPipelines} release pipelines` })
  }
  const projectKeys = { projectKey: project.key }
  const updated = { ...project, releasePipelines: count + 1 }
  const isFirst = project.defaultReleasePipelineKey === undefined
  if (isFirst) tx.follow(projects, projectKeys, project, { ...updated, defaultReleasePipelineKey: key })
  else if (asDefault) tx.replace(projects, projectKeys, project, { ...updated, defaultReleasePipelineKey: key })
  else tx.follow(projects, projectKeys, project, updated)
}
