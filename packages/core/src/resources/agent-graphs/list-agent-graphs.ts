import { projects } from '../../models/projects/project.ts'
import { listCard } from '../../operation/cards/list-card.ts'
import { agentGraphs } from './agent-graph.ts'
import { agentGraphWire, presentAgentGraph } from './agent-graph-wire.ts'

export const listAgentGraphs = listCard(agentGraphs, {
  id: 'listAgentGraphs',
  summary: 'List the agent graphs of a project, by key',
  path: '/api/v2/projects/{projectKey}/agent-graphs',
  beta: 'declared',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: projects,
  answer: agentGraphWire,
  present: presentAgentGraph,
})
