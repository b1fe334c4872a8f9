import { updateCard } from '../../operation/cards/update-card.ts'
import { agentOptimizations } from './agent-optimization.ts'
import { agentOptimizationChange, agentOptimizationWire, presentAgentOptimization } from './agent-optimization-wire.ts'

export const patchAgentOptimization = updateCard(agentOptimizations, {
  id: 'patchAgentOptimization',
  summary: 'Change an agent optimization, which makes a new version of it',
  method: 'PATCH',
  path: '/api/v2/projects/{projectKey}/agent-optimizations/{optimizationKey}',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  body: agentOptimizationChange,
  change: ({ now }, before, { comment, metricKey, ...given }) => {
    const { metricKey: measured, ...rest } = before
    const wanted = metricKey === undefined ? measured : (metricKey ?? undefined)
    return { ...rest, ...given, ...(wanted === undefined ? {} : { metricKey: wanted }), updatedAt: now }
  },
  answer: agentOptimizationWire,
  present: presentAgentOptimization,
})
