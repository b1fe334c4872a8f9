import { agentSkills } from '../../models/agent-skills/agent-skill.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { agentSkillResponse, serializeAgentSkill } from './agent-skill-schema.ts'

export const getAgentSkill = getOperation(agentSkills, {
  id: 'getAgentSkill',
  summary: 'Get the newest version of an agent skill',
  path: '/api/v2/projects/{projectKey}/ai-configs/skills/{skillKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  response: agentSkillResponse,
  serialize: serializeAgentSkill,
})
