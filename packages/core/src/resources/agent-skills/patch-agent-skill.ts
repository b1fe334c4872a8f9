import { updateCard, withMembers } from '../../operation/cards/update-card.ts'
import { nextRevision } from '../../storage/revisions.ts'
import { maintainedBy } from '../maintainers/maintainer.ts'
import { maintainerFaults } from '../maintainers/maintainer-faults.ts'
import { agentSkillRevisions, agentSkills } from './agent-skill.ts'
import { agentSkillChange, agentSkillWire, presentAgentSkill } from './agent-skill-wire.ts'

export const patchAgentSkill = updateCard(agentSkills, {
  id: 'patchAgentSkill',
  method: 'PATCH',
  summary: 'Make a new version of an agent skill',
  path: '/api/v2/projects/{projectKey}/ai-configs/skills/{skillKey}',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  body: agentSkillChange,
  async change({ tx, now, fail }, before, body, keys) {
    const errors = await maintainerFaults(tx, body)
    if (errors.length > 0) fail('invalid_request', { errors })
    return nextRevision(tx, agentSkillRevisions, keys, before, maintainedBy(withMembers(before, body), body), now)
  },
  answer: agentSkillWire,
  present: presentAgentSkill,
})
