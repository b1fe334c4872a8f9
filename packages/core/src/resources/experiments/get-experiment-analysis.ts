import * as v from 'valibot'
import { allocationsOf } from '../../models/experiments/iteration.ts'
import { operation } from '../../operation/operation.ts'
import { analysisQuery, serializeResults } from './analysis/analysis-response.ts'
import { loadResults } from './load-results.ts'
import { experimentResultsResponse } from './results-schema.ts'

const reductions = ['none', 'cuped'] as const

export const getExperimentAnalysis = operation({
  id: 'getExperimentAnalysis',
  summary: 'Get the results of all metrics of an iteration of an experiment',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/experiments/{experimentKey}/results',
  query: v.object({
    iterationId: v.optional(v.string()),
    ...analysisQuery,
    varianceReduction: v.optional(v.picklist(reductions, `must be one of ${reductions.join(', ')}`), 'none'),
  }),
  success: { status: 200, body: experimentResultsResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const { iteration, measured } = await loadResults(context, params, query.iterationId)
    const { id, treatments } = iteration
    const allocations = allocationsOf(iteration)
    return { iterationId: id, ...serializeResults(context.format, measured, { treatments, allocations, query }) }
  },
})
