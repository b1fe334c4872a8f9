import { agentTextPresenter, agentTextSchemas } from '../agent-texts/agent-text-schema.ts'
import { agentSkills } from './agent-skill.ts'

export const {
  request: agentSkillRequest,
  change: agentSkillChange,
  response: agentSkillResponse,
} = agentTextSchemas('markdown')

export const serializeAgentSkill = agentTextPresenter(agentSkills, 'markdown', 'skills')
