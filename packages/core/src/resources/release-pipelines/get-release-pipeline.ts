import { releasePipelines } from '../../models/release-pipelines/release-pipeline.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { showsProject } from '../projects/project-wire.ts'
import { pipelineWire, presentPipeline } from './release-pipeline-wire.ts'

export const getReleasePipeline = getOperation(releasePipelines, {
  id: 'getReleasePipeline',
  summary: 'Get a release pipeline',
  path: '/api/v2/projects/{projectKey}/release-pipelines/{pipelineKey}',
  access: showsProject,
  response: pipelineWire,
  serialize: presentPipeline,
})
