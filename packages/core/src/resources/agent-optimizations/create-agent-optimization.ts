import { createCard } from '../../operation/cards/create-card.ts'
import { projects } from '../projects/project.ts'
import { agentOptimizations } from './agent-optimization.ts'
import {
  agentOptimizationRequest,
  agentOptimizationWire,
  noLists,
  presentAgentOptimization,
} from './agent-optimization-wire.ts'

export const createAgentOptimization = createCard(agentOptimizations, {
  id: 'createAgentOptimization',
  summary: 'Create an agent optimization',
  path: '/api/v2/projects/{projectKey}/agent-optimizations',
  access: { action: 'createAgentOptimization', resource: 'proj/{projectKey}:agent-optimization/{body.key}' },
  within: projects,
  body: agentOptimizationRequest,
  make: ({ host, now }, body) => ({ ...noLists, ...body, id: host.newId(), createdAt: now, updatedAt: now }),
  answer: agentOptimizationWire,
  present: presentAgentOptimization,
})
