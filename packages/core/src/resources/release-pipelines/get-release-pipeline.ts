import { releasePipelines } from '../../models/release-pipelines/release-pipeline.ts'
import { getCard } from '../../operation/cards/get-card.ts'
import { showsProject } from '../projects/project-wire.ts'
import { pipelineWire, presentPipeline } from './release-pipeline-wire.ts'

export const getReleasePipeline = getCard(releasePipelines, {
  id: 'getReleasePipeline',
  summary: 'Fetch a release pipeline',
  path: '/api/v2/projects/{projectKey}/release-pipelines/{pipelineKey}',
  access: showsProject,
  answer: pipelineWire,
  present: presentPipeline,
})
