import { agentGraphs } from '../../models/agent-graphs/agent-graph.ts'
import { agentSkills } from '../../models/agent-skills/agent-skill.ts'
import { aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { aiTools } from '../../models/ai-tools/ai-tool.ts'
import { flags } from '../../models/flags/flag.ts'
import type { MaintainerReference } from '../../models/maintainers/maintainer.ts'
import { members } from '../../models/members/member.ts'
import { metricGroups } from '../../models/metric-groups/metric-group.ts'
import { metrics } from '../../models/metrics/metric.ts'
import { promptSnippets } from '../../models/prompt-snippets/prompt-snippet.ts'
import { teams } from '../../models/teams/team.ts'
import { views } from '../../models/views/view.ts'
import { type ReferenceRow, referenceRow } from '../../operation/reference-row.ts'
import type { Documents, Versioned } from '../../storage/collection.ts'

const indexed = { isIndexed: true }

/** Returns the references of resources to their maintainers. A resource has at most one maintainer. */
function maintainersOf<T extends Versioned & MaintainerReference, A extends string>(
  from: Documents<T, A>,
  { isIndexed = false } = {},
): ReferenceRow[] {
  const having = (field: keyof MaintainerReference, value: string) =>
    isIndexed ? ([{ op: 'equals', field, value }] as const) : []
  return [
    referenceRow({
      from,
      property: 'maintainerId',
      to: members,
      rule: 'detach',
      why: 'A member can leave at any time; what they maintained has no maintainer then.',
      targets: ({ maintainerId }) => (maintainerId === undefined ? [] : [{ memberId: maintainerId }]),
      where: ({ memberId }) => having('maintainerId', memberId),
      withoutReference: (document) => ({ ...document, maintainerId: undefined }),
      unchecked: true,
    }),
    referenceRow({
      from,
      property: 'maintainerTeamKey',
      to: teams,
      rule: 'refuse',
      targets: ({ maintainerTeamKey }) => (maintainerTeamKey === undefined ? [] : [{ teamKey: maintainerTeamKey }]),
      where: ({ teamKey }) => having('maintainerTeamKey', teamKey),
      withoutReference: (document) => ({ ...document, maintainerTeamKey: undefined }),
      leftBehind: true,
    }),
  ]
}

/** References to the members and teams that maintain resources. */
export const maintainerReferences: readonly ReferenceRow[] = [
  ...maintainersOf(flags, indexed),
  ...maintainersOf(views, indexed),
  ...maintainersOf(aiConfigs, indexed),
  ...maintainersOf(aiTools),
  ...maintainersOf(agentGraphs),
  ...maintainersOf(agentSkills),
  ...maintainersOf(promptSnippets),
  ...maintainersOf(metrics, indexed),
  ...maintainersOf(metricGroups, indexed),
]
