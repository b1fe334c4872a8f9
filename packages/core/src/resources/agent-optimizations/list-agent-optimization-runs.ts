import * as v from 'valibot'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, page } from '../../operation/schema.ts'
import { agentOptimizations } from './agent-optimization.ts'
import { optimizationResults } from './optimization-result.ts'
import { optimizationRuns, runFields } from './optimization-run.ts'
import { presentRun, runWire } from './optimization-run-wire.ts'

export const listAgentOptimizationRuns = operation({
  id: 'listAgentOptimizationRuns',
  summary: 'List the runs of an agent optimization, the one that was started last first',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/agent-optimizations/{optimizationKey}/runs',
  query: v.object(page()),
  success: { status: 200, body: collection(runWire) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const { tx, fail } = context
    const [optimization, runs] = await Promise.all([
      tx.get(agentOptimizations, params),
      tx.listRows(optimizationRuns, params, {
        order: [{ field: 'startedAt', type: 'number', descending: true }],
        ...query,
      }),
    ])
    if (!optimization) fail('not_found')
    const newest = await tx.getMany(
      optimizationResults,
      runs.items.map((row) => ({ ...params, resultId: runFields(row).newestId })),
    )
    return {
      items: runs.items.flatMap((row, at) => {
        const result = newest[at]
        return result ? [presentRun(params, row, result)] : []
      }),
      totalCount: runs.total,
      _links: pageLinks(context.url, query, runs.total),
    }
  },
})
