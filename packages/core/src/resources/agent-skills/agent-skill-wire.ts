import { agentTextPresenter, agentTextSchemas } from '../agent-texts/agent-text-wire.ts'
import { agentSkills } from './agent-skill.ts'

export const {
  request: agentSkillRequest,
  change: agentSkillChange,
  response: agentSkillWire,
} = agentTextSchemas('markdown')

export const presentAgentSkill = agentTextPresenter(agentSkills, 'markdown', 'skills')
