import * as v from 'valibot'
import { agentSkills } from '../../models/agent-skills/agent-skill.ts'
import { detachQuery } from '../../operation/detach-query.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'

export const deleteAgentSkill = deleteOperation(agentSkills, {
  id: 'deleteAgentSkill',
  summary: 'Delete an agent skill that no variation of an AI config uses, with all its versions',
  path: '/api/v2/projects/{projectKey}/ai-configs/skills/{skillKey}',
  access: { action: 'deleteAgentSkill', resource: 'proj/{projectKey}:agent-skill/{skillKey}' },
  contents: true,
  query: v.object(detachQuery),
})
