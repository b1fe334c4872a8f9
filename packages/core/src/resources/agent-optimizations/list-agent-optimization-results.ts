import * as v from 'valibot'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, page } from '../../operation/schema.ts'
import { agentOptimizations } from './agent-optimization.ts'
import { newestResultFirst } from './optimization-result.ts'
import { presentResults, resultWire } from './optimization-result-wire.ts'
import { optimizationRuns, runFields } from './optimization-run.ts'

export const listAgentOptimizationResults = operation({
  id: 'listAgentOptimizationResults',
  summary: 'List the newest result of each run of an agent optimization, newest first (D30)',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/agent-optimizations/{optimizationKey}/results',
  query: v.object(page()),
  success: { status: 200, body: collection(resultWire) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const { tx, fail } = context
    const [optimization, runs] = await Promise.all([
      tx.get(agentOptimizations, params),
      tx.listRows(optimizationRuns, params, { order: newestResultFirst, ...query }),
    ])
    if (!optimization) fail('not_found')
    const ids = runs.items.map((row) => runFields(row).newestId)
    return {
      items: await presentResults(context, params, ids),
      totalCount: runs.total,
      _links: pageLinks(context.url, query, runs.total),
    }
  },
})
