import { getCard } from '../../operation/cards/get-card.ts'
import { releasePipelines } from './release-pipeline.ts'
import { pipelineWire, presentPipeline, showsPipeline } from './release-pipeline-wire.ts'

export const getReleasePipeline = getCard(releasePipelines, {
  id: 'getReleasePipeline',
  summary: 'Fetch a release pipeline',
  path: '/api/v2/projects/{projectKey}/release-pipelines/{pipelineKey}',
  beta: 'tagged',
  access: showsPipeline,
  answer: pipelineWire,
  present: presentPipeline,
})
