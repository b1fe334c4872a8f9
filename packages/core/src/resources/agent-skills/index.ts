import { createAgentSkill } from './create-agent-skill.ts'
import { deleteAgentSkill } from './delete-agent-skill.ts'
import { getAgentSkill } from './get-agent-skill.ts'
import { listAgentSkillVersions } from './list-agent-skill-versions.ts'
import { listAgentSkills } from './list-agent-skills.ts'
import { patchAgentSkill } from './patch-agent-skill.ts'

export const agentSkillOperations = [
  listAgentSkills,
  createAgentSkill,
  getAgentSkill,
  patchAgentSkill,
  deleteAgentSkill,
  listAgentSkillVersions,
] as const
