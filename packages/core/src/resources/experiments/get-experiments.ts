import { environments } from '../../models/environments/environment.ts'
import { experiments } from '../../models/experiments/experiment.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { experimentConditions, experimentListQuery } from './experiment-conditions.ts'
import { experimentResponse, serializeExperiment } from './experiment-schema.ts'

export const getExperiments = listOperation(experiments, {
  id: 'getExperiments',
  summary: 'List the experiments of an environment',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/experiments',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: environments,
  query: experimentListQuery,
  select: (query) => ({ where: experimentConditions(query) }),
  response: experimentResponse,
  serialize: serializeExperiment,
})
