import { updateOperation, withProperties } from '../../operation/document-operations/update-operation.ts'
import { type AgentOptimization, agentOptimizations } from './agent-optimization.ts'
import {
  agentOptimizationChange,
  agentOptimizationResponse,
  serializeAgentOptimization,
} from './agent-optimization-schema.ts'

export const patchAgentOptimization = updateOperation(agentOptimizations, {
  id: 'patchAgentOptimization',
  summary: 'Update an agent optimization, which creates a new version',
  method: 'PATCH',
  path: '/api/v2/projects/{projectKey}/agent-optimizations/{optimizationKey}',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  body: agentOptimizationChange,
  change(context, before, body) {
    const now = context.readClock()
    const properties = Object.entries(withProperties(before, body)).filter(([, value]) => value !== null)
    // Cast: only optional properties can be null, and the return type of `Object.fromEntries` loses the property names.
    return { ...(Object.fromEntries(properties) as unknown as AgentOptimization), updatedAt: now }
  },
  response: agentOptimizationResponse,
  serialize: serializeAgentOptimization,
})
