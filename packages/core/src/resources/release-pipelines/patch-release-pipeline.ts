import { releasePipelines } from '../../models/release-pipelines/release-pipeline.ts'
import { patchOperation } from '../../operation/document-operations/patch-operation.ts'
import { showsProject } from '../projects/project-wire.ts'
import { changePipeline } from './change-pipeline.ts'
import { pipelineSettings, pipelineWire, presentPipeline } from './release-pipeline-wire.ts'

export const patchReleasePipeline = patchOperation(releasePipelines, {
  id: 'patchReleasePipeline',
  summary: 'Update a release pipeline',
  path: '/api/v2/projects/{projectKey}/release-pipelines/{pipelineKey}',
  shows: showsProject,
  settings: pipelineSettings,
  change: (context, patched, keys, before) => changePipeline(context, keys, before, patched),
  response: pipelineWire,
  serialize: presentPipeline,
})
