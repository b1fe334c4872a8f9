import { releasePipelines } from '../../models/release-pipelines/release-pipeline.ts'
import { patchOperation } from '../../operation/document-operations/patch-operation.ts'
import { viewsProject } from '../projects/project-schema.ts'
import { completePipeline } from './complete-pipeline.ts'
import { pipelineResponse, pipelineSettings, serializePipeline } from './release-pipeline-schema.ts'
import { undoPipeline } from './undo-pipeline.ts'

export const patchReleasePipeline = patchOperation(releasePipelines, {
  id: 'patchReleasePipeline',
  summary: 'Update a release pipeline',
  path: '/api/v2/projects/{projectKey}/release-pipelines/{pipelineKey}',
  shows: viewsProject,
  settings: pipelineSettings,
  undo: { update: undoPipeline },
  change: (context, patched, keys, before) => completePipeline(context, { keys, before }, patched),
  response: pipelineResponse,
  serialize: serializePipeline,
})
