import { agentSkills } from '../../models/agent-skills/agent-skill.ts'
import { agentTextSchemas, agentTextSerializer } from '../agent-texts/agent-text-schema.ts'

export const {
  request: agentSkillRequest,
  change: agentSkillChange,
  response: agentSkillResponse,
} = agentTextSchemas('markdown')

export const serializeAgentSkill = agentTextSerializer(agentSkills, 'markdown', 'skills')
