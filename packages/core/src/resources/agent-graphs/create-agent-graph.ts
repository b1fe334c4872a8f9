import { maintainedByMaker } from '../../models/maintainers/maintainer.ts'
import { projects } from '../../models/projects/project.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { maintainerFaults } from '../maintainers/maintainer-faults.ts'
import { agentGraphs } from './agent-graph.ts'
import { agentGraphRequest, agentGraphWire, presentAgentGraph, structureFaults } from './agent-graph-wire.ts'
import { moveNodes, noNodes } from './graph-nodes.ts'

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
      maintainerFaults(tx, body),
      moveNodes(tx, { projectKey, graphKey: body.key }, noNodes, body),
    ])
    const errors = [...structureFaults(body), ...misnamed, ...unmaintained]
    if (errors.length > 0) fail('invalid_request', { errors })
    return maintainedByMaker({ ...body, createdAt: now, updatedAt: now }, caller)
  },
  response: agentGraphWire,
  serialize: presentAgentGraph,
})
