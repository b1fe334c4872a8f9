import { updateCard, withMembers } from '../../operation/cards/update-card.ts'
import { type AgentOptimization, agentOptimizations } from './agent-optimization.ts'
import { agentOptimizationChange, agentOptimizationWire, presentAgentOptimization } from './agent-optimization-wire.ts'

export const patchAgentOptimization = updateCard(agentOptimizations, {
  id: 'patchAgentOptimization',
  summary: 'Change an agent optimization, which makes a new version of it',
  method: 'PATCH',
  path: '/api/v2/projects/{projectKey}/agent-optimizations/{optimizationKey}',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  body: agentOptimizationChange,
  change(context, before, body) {
    const now = context.readClock()
    const members = Object.entries(withMembers(before, body)).filter(([, value]) => value !== null)
    return { ...(Object.fromEntries(members) as unknown as AgentOptimization), updatedAt: now }
  },
  answer: agentOptimizationWire,
  present: presentAgentOptimization,
})
