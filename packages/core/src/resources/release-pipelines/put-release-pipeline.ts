import { projects } from '../../models/projects/project.ts'
import { releasePipelines } from '../../models/release-pipelines/release-pipeline.ts'
import { updateOperation } from '../../operation/document-operations/update-operation.ts'
import { validateReferences } from '../../operation/references.ts'
import { showsProject } from '../projects/project-wire.ts'
import { changePipeline } from './change-pipeline.ts'
import { addedReferences } from './phase-references.ts'
import { pipelineReplacement, pipelineWire, presentPipeline } from './release-pipeline-wire.ts'

export const putReleasePipeline = updateOperation(releasePipelines, {
  id: 'putReleasePipeline',
  summary: 'Replace a release pipeline; omitted properties are reset',
  method: 'PUT',
  path: '/api/v2/projects/{projectKey}/release-pipelines/{pipelineKey}',
  shows: showsProject,
  body: pipelineReplacement,
  ahead: ({ tx }, { phases }, keys) =>
    Promise.all([tx.get(projects, keys), validateReferences(tx, addedReferences(keys.projectKey, [], phases))]),
  // A request has no ids of phases: the phase at the same index is the same phase.
  change: (context, before, body, keys) =>
    changePipeline(context, keys, before, {
      ...before,
      ...body,
      phases: body.phases.map((phase, at) => ({ id: before.phases[at]?.id, ...phase })),
    }),
  response: pipelineWire,
  serialize: presentPipeline,
})
