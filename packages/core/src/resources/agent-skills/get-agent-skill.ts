import { getCard } from '../../operation/cards/get-card.ts'
import { agentSkills } from './agent-skill.ts'
import { agentSkillWire, presentAgentSkill } from './agent-skill-wire.ts'

export const getAgentSkill = getCard(agentSkills, {
  id: 'getAgentSkill',
  summary: 'Fetch the newest version of an agent skill',
  path: '/api/v2/projects/{projectKey}/ai-configs/skills/{skillKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  answer: agentSkillWire,
  present: presentAgentSkill,
})
