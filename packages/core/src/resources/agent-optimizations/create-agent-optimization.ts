import { aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { projects } from '../../models/projects/project.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { agentOptimizations } from './agent-optimization.ts'
import {
  agentOptimizationRequest,
  agentOptimizationResponse,
  emptyLists,
  serializeAgentOptimization,
} from './agent-optimization-schema.ts'

const noConfig = { attribute: 'aiConfigKey', reason: 'must be the key of an AI config of the project' }

export const createAgentOptimization = createOperation(agentOptimizations, {
  id: 'createAgentOptimization',
  summary: 'Create an agent optimization',
  path: '/api/v2/projects/{projectKey}/agent-optimizations',
  access: { action: 'createAgentOptimization', resource: 'proj/{projectKey}:agent-optimization/{body.key}' },
  within: projects,
  body: agentOptimizationRequest,
  async make(context, body, { projectKey }) {
    const { tx, fail } = context
    const host = context.useHost()
    const now = context.readClock()
    const keys = { projectKey, configKey: body.aiConfigKey }
    tx.expect(aiConfigs, keys, (await tx.get(aiConfigs, keys)) ?? fail('invalid_request', { errors: [noConfig] }))
    return { ...emptyLists, ...body, id: host.newId(), createdAt: now, updatedAt: now }
  },
  response: agentOptimizationResponse,
  serialize: serializeAgentOptimization,
})
