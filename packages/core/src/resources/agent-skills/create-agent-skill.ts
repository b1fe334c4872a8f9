import { agentSkillRevisions, agentSkills } from '../../models/agent-skills/agent-skill.ts'
import { projects } from '../../models/projects/project.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { newAgentText } from '../agent-texts/revise-agent-text.ts'
import { agentSkillRequest, agentSkillResponse, serializeAgentSkill } from './agent-skill-schema.ts'

export const createAgentSkill = createOperation(agentSkills, {
  id: 'createAgentSkill',
  summary: 'Create an agent skill',
  path: '/api/v2/projects/{projectKey}/ai-configs/skills',
  access: { action: 'createAgentSkill', resource: 'proj/{projectKey}:agent-skill/{body.key}' },
  within: projects,
  body: agentSkillRequest,
  make: (context, body, { projectKey }) =>
    newAgentText(context, { revisions: agentSkillRevisions, keys: { projectKey, skillKey: body.key } }, body),
  response: agentSkillResponse,
  serialize: serializeAgentSkill,
})
