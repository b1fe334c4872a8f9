import { type Project, projects } from '../../models/projects/project.ts'
import {
  mostPipelines,
  type ReleasePipeline,
  releasePipelines,
} from '../../models/release-pipelines/release-pipeline.ts'
import type { Context } from '../../operation/context.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { validateReferences } from '../../operation/references.ts'
import type { Writer } from '../../storage/writer.ts'
import { addedReferences } from './phase-references.ts'
import { pipelineRequest, pipelineWire, presentPipeline } from './release-pipeline-wire.ts'

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
    const [project, errors] = await Promise.all([
      tx.get(projects, params),
      validateReferences(tx, addedReferences(params.projectKey, [], pipeline.phases)),
    ])
    if (errors.length > 0) fail('invalid_request', { errors })
    addTo(context, project ?? fail('not_found'), pipeline, isProjectDefault)
  },
  response: pipelineWire,
  serialize: presentPipeline,
})

/** Replacing the default pipeline is a change of the project, which requires an action of its own. */
function addTo(
  { tx, fail }: Context<Writer, 'invalid_request'>,
  project: Project,
  { key }: ReleasePipeline,
  asDefault: boolean,
): void {
  const count = project.releasePipelines ?? 0
  if (count >= mostPipelines) {
    fail('invalid_request', { message: `A project can have at most ${mostPipelines} release pipelines` })
  }
  const place = { projectKey: project.key }
  const counted = { ...project, releasePipelines: count + 1 }
  const first = project.defaultReleasePipelineKey === undefined
  if (first) tx.follow(projects, place, project, { ...counted, defaultReleasePipelineKey: key })
  else if (asDefault) tx.replace(projects, place, project, { ...counted, defaultReleasePipelineKey: key })
  else tx.follow(projects, place, project, counted)
}
