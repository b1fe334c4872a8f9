import { agentGraphs } from '../../models/agent-graphs/agent-graph.ts'
import { withDefaultMaintainer } from '../../models/maintainers/maintainer.ts'
import { projects } from '../../models/projects/project.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { validateMaintainer } from '../maintainers/validate-maintainer.ts'
import { agentGraphRequest, agentGraphResponse, serializeAgentGraph, validateStructure } from './agent-graph-schema.ts'
import { noNodes, updateNodes } from './graph-nodes.ts'

export const createAgentGraph = createOperation(agentGraphs, {
  id: 'createAgentGraph',
  summary: 'Create an agent graph',
  path: '/api/v2/projects/{projectKey}/agent-graphs',
  beta: 'declared',
  access: { action: 'createAgentGraph', resource: 'proj/{projectKey}:agent-graph/{body.key}' },
  within: projects,
  body: agentGraphRequest,
  async make(context, body, { projectKey }) {
    const { tx, caller, fail } = context
    const now = context.readClock()
    const [unmaintained, misnamed] = await Promise.all([
      validateMaintainer(tx, body),
      updateNodes(tx, { keys: { projectKey, graphKey: body.key }, before: noNodes, after: body }),
    ])
    const errors = [...validateStructure(body), ...misnamed, ...unmaintained]
    if (errors.length > 0) fail('invalid_request', { errors })
    return withDefaultMaintainer({ ...body, createdAt: now, updatedAt: now }, caller)
  },
  response: agentGraphResponse,
  serialize: serializeAgentGraph,
})
