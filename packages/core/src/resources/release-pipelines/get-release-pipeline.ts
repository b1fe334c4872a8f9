import { releasePipelines } from '../../models/release-pipelines/release-pipeline.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { viewsProject } from '../projects/project-schema.ts'
import { pipelineResponse, serializePipeline } from './release-pipeline-schema.ts'

export const getReleasePipeline = getOperation(releasePipelines, {
  id: 'getReleasePipeline',
  summary: 'Get a release pipeline',
  path: '/api/v2/projects/{projectKey}/release-pipelines/{pipelineKey}',
  access: viewsProject,
  response: pipelineResponse,
  serialize: serializePipeline,
})
