import { resource } from '../../operation/resource.ts'
import { agentSkills as agentSkillDocuments, agentSkillRevisions } from './agent-skill.ts'
import { createAgentSkill } from './create-agent-skill.ts'
import { deleteAgentSkill } from './delete-agent-skill.ts'
import { getAgentSkill } from './get-agent-skill.ts'
import { listAgentSkillVersions } from './list-agent-skill-versions.ts'
import { listAgentSkills } from './list-agent-skills.ts'
import { patchAgentSkill } from './patch-agent-skill.ts'

export const agentSkills = resource({
  title: 'Agent skills',
  description: 'Skills that agents can learn.',
  kinds: [{ shape: 'proj:agent-skill', actions: ['createAgentSkill', 'updateAgentSkill', 'deleteAgentSkill'] }],
  collections: [agentSkillRevisions, agentSkillDocuments],
  operations: [
    listAgentSkills,
    createAgentSkill,
    getAgentSkill,
    patchAgentSkill,
    deleteAgentSkill,
    listAgentSkillVersions,
  ],
  parameters: {
    skillKey: 'Key of the agent skill.',
  },
})
