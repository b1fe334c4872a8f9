import * as v from 'valibot'
import { experiments } from '../../models/experiments/experiment.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { experimentQuery, experimentResponse, serializeExperiment } from './experiment-schema.ts'

export const getExperiment = getOperation(experiments, {
  id: 'getExperiment',
  summary: 'Get an experiment',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/experiments/{experimentKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  query: v.object(experimentQuery),
  response: experimentResponse,
  serialize: serializeExperiment,
})
