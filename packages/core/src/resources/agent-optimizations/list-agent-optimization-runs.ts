import * as v from 'valibot'
import { operation } from '../../operation/operation.ts'
import { collection, page } from '../../operation/schema.ts'
import { optimizationResults } from './optimization-result.ts'
import { runFields } from './optimization-run.ts'
import { runResponse, serializeRun } from './optimization-run-response.ts'
import { pageOfRuns } from './page-of-runs.ts'

const lastStartedFirst = [{ field: 'startedAt', type: 'number', descending: true }] as const

export const listAgentOptimizationRuns = operation({
  id: 'listAgentOptimizationRuns',
  summary: 'List the runs of an agent optimization, the most recently started first',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/agent-optimizations/{optimizationKey}/runs',
  query: v.object(page()),
  success: { status: 200, body: collection(runResponse) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  handle: (context, { params, query }) =>
    pageOfRuns(context, params, { ...query, order: lastStartedFirst }, async (runs) => {
      const newest = await context.tx.getMany(
        optimizationResults,
        runs.map((run) => ({ ...params, resultId: runFields(run).newestId })),
      )
      return runs.flatMap((run, index) => {
        const result = newest[index]
        return result ? [serializeRun(params, run, result)] : []
      })
    }),
})
