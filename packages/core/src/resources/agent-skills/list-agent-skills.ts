import { projects } from '../../models/projects/project.ts'
import { listCard } from '../../operation/cards/list-card.ts'
import { agentSkills } from './agent-skill.ts'
import { agentSkillWire, presentAgentSkill } from './agent-skill-wire.ts'

export const listAgentSkills = listCard(agentSkills, {
  id: 'listAgentSkills',
  summary: "List a project's agent skills, each in its newest version",
  path: '/api/v2/projects/{projectKey}/ai-configs/skills',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: projects,
  answer: agentSkillWire,
  present: presentAgentSkill,
})
