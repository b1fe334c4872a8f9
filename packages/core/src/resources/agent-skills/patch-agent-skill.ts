import { agentSkillRevisions, agentSkills } from '../../models/agent-skills/agent-skill.ts'
import { updateOperation } from '../../operation/document-operations/update-operation.ts'
import { revisedAgentText } from '../agent-texts/revise-agent-text.ts'
import { undoRevised } from '../maintainers/undo-maintained.ts'
import { agentSkillChange, agentSkillResponse, serializeAgentSkill } from './agent-skill-schema.ts'

export const patchAgentSkill = updateOperation(agentSkills, {
  id: 'patchAgentSkill',
  undo: undoRevised(agentSkills, agentSkillRevisions),
  method: 'PATCH',
  summary: 'Update an agent skill, which creates a new version',
  path: '/api/v2/projects/{projectKey}/ai-configs/skills/{skillKey}',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  body: agentSkillChange,
  change: (context, before, body, keys) =>
    revisedAgentText(context, { revisions: agentSkillRevisions, keys }, before, body),
  response: agentSkillResponse,
  serialize: serializeAgentSkill,
})
