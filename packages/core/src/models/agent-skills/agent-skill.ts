import { documents } from '../../storage/collection.ts'
import { revisionsOf } from '../../storage/revisions.ts'
import type { AgentText } from '../agent-texts/agent-text.ts'
import { maintainerSentences, shownMaintainer } from '../maintainers/maintainer.ts'

/** Instructions for agents for one kind of work. */
export interface AgentSkill extends AgentText {
  /** The exact content of its SKILL.md. */
  readonly markdown: string
}

export const agentSkills = documents<AgentSkill>()({
  name: 'agent-skill',
  address: 'proj/{projectKey}:agent-skill/{skillKey}',
  shown: { ...shownMaintainer, revision: null },
  sentences: { changed: maintainerSentences },
  changes: {
    key: null,
    name: 'updateAgentSkill',
    description: 'updateAgentSkill',
    markdown: 'updateAgentSkill',
    tags: 'updateAgentSkill',
    maintainerId: 'updateAgentSkill',
    maintainerTeamKey: 'updateAgentSkill',
    revision: null,
    createdAt: null,
  },
})

export const agentSkillRevisions = revisionsOf(agentSkills)
