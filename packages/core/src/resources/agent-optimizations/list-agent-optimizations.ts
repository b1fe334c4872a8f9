import { projects } from '../../models/projects/project.ts'
import { listCard } from '../../operation/cards/list-card.ts'
import { agentOptimizations } from './agent-optimization.ts'
import { agentOptimizationWire, presentAgentOptimization } from './agent-optimization-wire.ts'

export const listAgentOptimizations = listCard(agentOptimizations, {
  id: 'listAgentOptimizations',
  summary: 'List the agent optimizations of a project, by key',
  path: '/api/v2/projects/{projectKey}/agent-optimizations',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: projects,
  answer: agentOptimizationWire,
  present: presentAgentOptimization,
})
