import { getCard } from '../../operation/cards/get-card.ts'
import { agentOptimizations } from './agent-optimization.ts'
import { agentOptimizationWire, presentAgentOptimization } from './agent-optimization-wire.ts'

export const getAgentOptimization = getCard(agentOptimizations, {
  id: 'getAgentOptimization',
  summary: 'Fetch an agent optimization',
  path: '/api/v2/projects/{projectKey}/agent-optimizations/{optimizationKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  answer: agentOptimizationWire,
  present: presentAgentOptimization,
})
