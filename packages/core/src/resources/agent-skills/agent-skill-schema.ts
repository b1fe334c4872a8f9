import { agentSkills } from '../../models/agent-skills/agent-skill.ts'
import { agentTextPresenter, agentTextSchemas } from '../agent-texts/agent-text-schema.ts'

export const {
  request: agentSkillRequest,
  change: agentSkillChange,
  response: agentSkillResponse,
} = agentTextSchemas('markdown')

export const serializeAgentSkill = agentTextPresenter(agentSkills, 'markdown', 'skills')
