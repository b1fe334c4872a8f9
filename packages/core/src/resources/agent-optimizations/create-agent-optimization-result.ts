import type { WriteContext } from '../../operation/context.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { agentOptimizations } from './agent-optimization.ts'
import { optimizationResults } from './optimization-result.ts'
import { resultRequest, resultResponse, serializeResult } from './optimization-result-schema.ts'
import { maxResults, type OptimizationRun, optimizationRuns, type RunResult, withResult } from './optimization-run.ts'

export const createAgentOptimizationResult = createOperation(optimizationResults, {
  id: 'createAgentOptimizationResult',
  undo: { create: undefined },
  summary: 'Create a result of a run of an agent optimization; the first one creates the run',
  path: '/api/v2/projects/{projectKey}/agent-optimizations/{optimizationKey}/results',
  access: {
    action: 'createAgentOptimizationResult',
    resource: 'proj/{projectKey}:agent-optimization/{optimizationKey}',
  },
  within: agentOptimizations,
  body: resultRequest,
  async make(context, body, params) {
    const { tx, fail } = context
    const host = context.useHost()
    const now = context.readClock()
    const runKeys = { ...params, runId: body.runId }
    const [optimization, run] = await Promise.all([
      tx.get(agentOptimizations, params),
      tx.get(optimizationRuns, runKeys),
    ])
    const { id: agentOptimizationId, version } = optimization ?? fail('not_found')
    if (body.agentOptimizationVersion > version) {
      const reason = `must be at most ${version}, the newest version`
      fail('invalid_request', { errors: [{ attribute: 'agentOptimizationVersion', reason }] })
    }
    if (run && run.results.length >= maxResults) {
      const reason = `must refer to a run with fewer than ${maxResults} results`
      fail('invalid_request', { errors: [{ attribute: 'runId', reason }] })
    }
    const result = {
      ...body,
      id: host.newId(),
      agentOptimizationId,
      status: 'RUNNING',
      activity: 'PENDING',
      createdAt: now,
      updatedAt: now,
    } as const
    addToRun(tx, runKeys, run, result)
    return result
  },
  keyOf: ({ id }) => id,
  response: resultResponse,
  serialize: serializeResult,
})

/** Writes the run with each result, so that one of two concurrent additions fails and no result is lost. */
function addToRun(
  tx: WriteContext['tx'],
  keys: Parameters<typeof optimizationRuns.id>[0],
  run: OptimizationRun | undefined,
  result: RunResult,
): void {
  const results = withResult(run?.results ?? [], result)
  if (run) tx.follow(optimizationRuns, keys, run, { ...run, results })
  else tx.insert(optimizationRuns, keys, { results })
}
