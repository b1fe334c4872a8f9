import { agentSkills as agentSkillDocuments, agentSkillRevisions } from '../../models/agent-skills/agent-skill.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const agentSkills = resource({
  title: 'Agent skills',
  description: 'Skills that agents can learn.',
  kinds: [{ shape: 'proj:agent-skill', actions: ['createAgentSkill', 'updateAgentSkill', 'deleteAgentSkill'] }],
  collections: [agentSkillRevisions, agentSkillDocuments],
  operations: Object.values(operations),
  parameters: {
    skillKey: 'Key of the agent skill.',
  },
})
