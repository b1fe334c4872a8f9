import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'
import { agentSkills } from './agent-skill.ts'

export const deleteAgentSkill = deleteOperation(agentSkills, {
  id: 'deleteAgentSkill',
  summary: 'Delete an agent skill with all its versions',
  path: '/api/v2/projects/{projectKey}/ai-configs/skills/{skillKey}',
  access: { action: 'deleteAgentSkill', resource: 'proj/{projectKey}:agent-skill/{skillKey}' },
  contents: true,
})
