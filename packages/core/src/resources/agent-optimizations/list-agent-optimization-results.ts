import * as v from 'valibot'
import { operation } from '../../operation/operation.ts'
import { collection, page } from '../../operation/schema.ts'
import { newestResultFirst } from './optimization-result.ts'
import { resultResponse, serializeResults } from './optimization-result-schema.ts'
import { runFields } from './optimization-run.ts'
import { pageOfRuns } from './page-of-runs.ts'

export const listAgentOptimizationResults = operation({
  id: 'listAgentOptimizationResults',
  summary: 'List the newest result of each run of an agent optimization, newest first',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/agent-optimizations/{optimizationKey}/results',
  query: v.object(page()),
  success: { status: 200, body: collection(resultResponse) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  handle: (context, { params, query }) =>
    pageOfRuns(context, params, { ...query, order: newestResultFirst }, (runs) =>
      serializeResults(
        context,
        params,
        runs.map((run) => runFields(run).newestId),
      ),
    ),
})
