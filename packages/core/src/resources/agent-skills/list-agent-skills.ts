import { agentSkills } from '../../models/agent-skills/agent-skill.ts'
import { projects } from '../../models/projects/project.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { agentSkillResponse, serializeAgentSkill } from './agent-skill-schema.ts'

export const listAgentSkills = listOperation(agentSkills, {
  id: 'listAgentSkills',
  summary: 'List the agent skills of a project, each in its newest version',
  path: '/api/v2/projects/{projectKey}/ai-configs/skills',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: projects,
  response: agentSkillResponse,
  serialize: serializeAgentSkill,
})
