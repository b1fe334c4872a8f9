import { agentSkillRevisions, agentSkills } from '../../models/agent-skills/agent-skill.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { newestRevisionFirst } from '../../storage/revisions.ts'
import { agentSkillResponse, serializeAgentSkill } from './agent-skill-schema.ts'

export const listAgentSkillVersions = listOperation(agentSkillRevisions, {
  id: 'listAgentSkillVersions',
  summary: 'List the versions of an agent skill, newest first',
  path: '/api/v2/projects/{projectKey}/ai-configs/skills/{skillKey}/versions',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: agentSkills,
  select: newestRevisionFirst,
  response: agentSkillResponse,
  serialize: serializeAgentSkill,
})
