import { agentGraphs } from '../../models/agent-graphs/agent-graph.ts'
import { withMaintainer } from '../../models/maintainers/maintainer.ts'
import { updateOperation, withProperties } from '../../operation/document-operations/update-operation.ts'
import { undoMaintained } from '../maintainers/undo-maintained.ts'
import { validateMaintainer } from '../maintainers/validate-maintainer.ts'
import { agentGraphChange, agentGraphResponse, serializeAgentGraph, validateStructure } from './agent-graph-schema.ts'
import { updateNodes } from './graph-nodes.ts'

export const patchAgentGraph = updateOperation(agentGraphs, {
  id: 'patchAgentGraph',
  undo: undoMaintained(agentGraphs),
  method: 'PATCH',
  summary: 'Update an agent graph; its root and its edges are replaced together',
  path: '/api/v2/projects/{projectKey}/agent-graphs/{graphKey}',
  beta: 'declared',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  body: agentGraphChange,
  async change(context, before, body, keys) {
    const { tx, fail } = context
    const now = context.readClock()
    const after = withProperties(before, body)
    const [unmaintained, misnamed] = await Promise.all([
      validateMaintainer(tx, body),
      updateNodes(tx, { keys, before, after }),
    ])
    const errors = [...validateStructure(body), ...misnamed, ...unmaintained]
    if (errors.length > 0) fail('invalid_request', { errors })
    return { ...withMaintainer(after, body), updatedAt: now }
  },
  response: agentGraphResponse,
  serialize: serializeAgentGraph,
})
