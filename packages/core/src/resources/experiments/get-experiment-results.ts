import * as v from 'valibot'
import { linkTo } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { expand } from '../../operation/schema.ts'
import { analyze } from '../../rules/experiments/analysis.ts'
import { serializeMetricResults } from './analysis/metric-results.ts'
import { experimentPath } from './experiment-schema.ts'
import { loadResults } from './load-results.ts'
import { metricResultsResponse } from './results-schema.ts'

export const getExperimentResults = operation({
  id: 'getExperimentResults',
  summary: 'Get the Bayesian results of one metric of an iteration of an experiment',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/experiments/{experimentKey}/metrics/{metricKey}/results',
  query: v.object({ iterationId: v.optional(v.string()), expand: expand('traffic') }),
  success: { status: 200, body: metricResultsResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const results = await loadResults(context, params, query.iterationId)
    const metricIndex = results.measured.measurement.metrics.findIndex(({ key }) => key === params.metricKey)
    if (metricIndex < 0) return context.fail('not_found')
    return serializeMetricResults(results, {
      metricIndex,
      analyze: (variations, options) => analyze(variations, options)[metricIndex],
      withTraffic: query.expand.includes('traffic'),
      links: { parent: linkTo(experimentPath(params)) },
    })
  },
})
