import * as v from 'valibot'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, page } from '../../operation/schema.ts'
import { resultResponse, serializeResults } from './optimization-result-schema.ts'
import { optimizationRuns } from './optimization-run.ts'

export const listAgentOptimizationResultsByRunId = operation({
  id: 'listAgentOptimizationResultsByRunId',
  summary: 'List the results of a run of an agent optimization, newest first',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/agent-optimizations/{optimizationKey}/runs/{runId}/results',
  query: v.object(page()),
  success: { status: 200, body: collection(resultResponse) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const { results } = (await context.tx.get(optimizationRuns, params)) ?? context.fail('not_found')
    const pageOfResults = results.slice(query.offset, query.offset + query.limit)
    return {
      items: await serializeResults(
        context,
        params,
        pageOfResults.map(({ id }) => id),
      ),
      totalCount: results.length,
      _links: pageLinks(context.url, query, results.length),
    }
  },
})
