import * as v from 'valibot'
import type { VariationResults } from '../../models/measurements/measured-results.ts'
import { linkTo, path } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import type { AnalysisOptions } from '../../rules/experiments/analysis.ts'
import { serializeGroupedMetrics } from '../metric-groups/serialize-metric-group.ts'
import { analyzeAll, type GroupAnalysis } from './analysis/group-analyses.ts'
import { serializeMetricResults } from './analysis/metric-results.ts'
import { experimentPath } from './experiment-schema.ts'
import { loadResults } from './load-results.ts'
import { metricGroupResultsResponse } from './results-schema.ts'

export const getExperimentResultsForMetricGroup = operation({
  id: 'getExperimentResultsForMetricGroup',
  summary:
    'Get the Bayesian results of the metrics of a group in an iteration of an experiment, step by step for a funnel',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/experiments/{experimentKey}/metric-groups/{metricGroupKey}/results',
  query: v.object({ iterationId: v.optional(v.string()) }),
  success: { status: 200, body: metricGroupResultsResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const { projectKey, metricGroupKey } = params
    const loaded = await loadResults(context, params, query.iterationId)
    const { measurement } = loaded.measured
    const groupIndex = measurement.groups?.findIndex(({ key }) => key === metricGroupKey) ?? -1
    const measured = measurement.groups?.[groupIndex] ?? context.fail('not_found')
    // An analysis of some variations contains the results of all metrics, so it is made once for the same variations.
    const analyzed = new Map<readonly VariationResults[], GroupAnalysis | undefined>()
    const analyzeGroup = (variations: readonly VariationResults[], options: AnalysisOptions) => {
      if (!analyzed.has(variations))
        analyzed.set(variations, analyzeAll(measurement, variations, options).groups[groupIndex])
      return analyzed.get(variations)
    }
    const links = { parent: linkTo(experimentPath(params)) }
    const metricsOfGroup = await serializeGroupedMetrics(context, measured.metrics, { projectKey })
    return {
      metrics: metricsOfGroup.map((metric) => {
        const isMetric = ({ key }: { readonly key: string }) => key === metric.key
        const index = measured.metrics.findIndex(isMetric)
        const results = serializeMetricResults(loaded, {
          metricIndex: measurement.metrics.findIndex(isMetric),
          analyze: (variations, options) => analyzeGroup(variations, options)?.metrics[index],
          withTraffic: false,
          links,
        })
        return { metric, results }
      }),
      _links: {
        ...links,
        metricGroup: linkTo(path`/api/v2/projects/${projectKey}/metric-groups/${metricGroupKey}`),
      },
    }
  },
})
