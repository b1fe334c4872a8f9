import * as v from 'valibot'
import { agentSkills } from '../../models/agent-skills/agent-skill.ts'
import { operation } from '../../operation/operation.ts'
import { page } from '../../operation/schema.ts'
import { listTextReferences, textReferencesResponse } from '../agent-texts/text-references.ts'

export const listAgentSkillReferences = operation({
  id: 'listAgentSkillReferences',
  summary: 'List the variations of AI configs that use an agent skill, with the version that each uses',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/ai-configs/skills/{skillKey}/references',
  query: v.object(page()),
  success: { status: 200, body: textReferencesResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  handle: (context, { params, query }) =>
    listTextReferences(
      context,
      { texts: agentSkills, field: 'skills', versionsIn: ({ skills = [] }) => skills },
      { keys: params, textKey: params.skillKey },
      query,
    ),
})
