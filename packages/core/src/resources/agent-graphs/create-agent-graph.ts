import { createCard } from '../../operation/cards/create-card.ts'
import { maintainedByMaker } from '../maintainers/maintainer.ts'
import { maintainerFaults } from '../maintainers/maintainer-faults.ts'
import { projects } from '../projects/project.ts'
import { agentGraphs } from './agent-graph.ts'
import { agentGraphRequest, agentGraphWire, presentAgentGraph, structureFaults } from './agent-graph-wire.ts'
import { moveNodes, noNodes } from './graph-nodes.ts'

export const createAgentGraph = createCard(agentGraphs, {
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
  answer: agentGraphWire,
  present: presentAgentGraph,
})
