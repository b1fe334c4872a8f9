import { createCard } from '../../operation/cards/create-card.ts'
import { firstRevision } from '../../storage/revisions.ts'
import { maintainedByMaker } from '../maintainers/maintainer.ts'
import { maintainerFaults } from '../maintainers/maintainer-faults.ts'
import { projects } from '../projects/project.ts'
import { agentSkillRevisions, agentSkills } from './agent-skill.ts'
import { agentSkillRequest, agentSkillWire, presentAgentSkill } from './agent-skill-wire.ts'

export const createAgentSkill = createCard(agentSkills, {
  id: 'createAgentSkill',
  summary: 'Create an agent skill',
  path: '/api/v2/projects/{projectKey}/ai-configs/skills',
  access: { action: 'createAgentSkill', resource: 'proj/{projectKey}:agent-skill/{body.key}' },
  within: projects,
  body: agentSkillRequest,
  async make({ tx, now, caller, fail }, body, { projectKey }) {
    const errors = await maintainerFaults(tx, body)
    if (errors.length > 0) fail('invalid_request', { errors })
    const keys = { projectKey, skillKey: body.key }
    return firstRevision(tx, agentSkillRevisions, keys, maintainedByMaker(body, caller), now)
  },
  answer: agentSkillWire,
  present: presentAgentSkill,
})
