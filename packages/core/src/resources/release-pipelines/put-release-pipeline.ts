import { projects } from '../../models/projects/project.ts'
import { releasePipelines } from '../../models/release-pipelines/release-pipeline.ts'
import { updateOperation } from '../../operation/document-operations/update-operation.ts'
import { validateReferences } from '../../operation/references.ts'
import { viewsProject } from '../projects/project-schema.ts'
import { completePipeline } from './complete-pipeline.ts'
import { addedReferences } from './phase-references.ts'
import { pipelineReplacement, pipelineResponse, serializePipeline } from './release-pipeline-schema.ts'
import { undoPipeline } from './undo-pipeline.ts'

export const putReleasePipeline = updateOperation(releasePipelines, {
  id: 'putReleasePipeline',
  undo: { update: undoPipeline },
  summary: 'Replace a release pipeline; omitted properties are reset',
  method: 'PUT',
  path: '/api/v2/projects/{projectKey}/release-pipelines/{pipelineKey}',
  shows: viewsProject,
  // A request that changes nothing counts as a change, too
  // (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d20-release-pipelines).
  countsEqual: true,
  body: pipelineReplacement,
  startReads: ({ tx }, { phases }, keys) =>
    Promise.all([tx.get(projects, keys), validateReferences(tx, addedReferences(keys.projectKey, [], phases))]),
  // A request does not contain ids of phases, so phases are identified by their index.
  change: (context, before, body, keys) =>
    completePipeline(
      context,
      { keys, before },
      {
        ...before,
        ...body,
        phases: body.phases.map((phase, index) => ({ id: before.phases[index]?.id, ...phase })),
      },
    ),
  response: pipelineResponse,
  serialize: serializePipeline,
})
