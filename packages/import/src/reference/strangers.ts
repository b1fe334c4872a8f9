import type { Loss } from '../moved-project.ts'
import { pointer, strangers } from '../read-shape.ts'
import type { ReferenceFlag, ReferenceSegment } from './export.ts'

const flagMembers = new Set([
  ...['key', 'name', 'kind', 'description', 'variations', 'defaults', 'temporary', 'tags', 'archived', 'deprecated'],
  ...['customProperties', 'clientSideAvailability', 'includeInSnippet', 'purpose', 'migrationSettings', 'environments'],
  // Times, and links to the original.
  ...[
    'creationDate',
    'archivedDate',
    'deprecatedDate',
    '_version',
    '_links',
    '_access',
    '_maintainer',
    '_purpose',
    'at',
  ],
])

const configMembers = new Set([
  ...['on', 'salt', 'sel', 'targets', 'contextTargets', 'rules', 'fallthrough', 'offVariation', 'prerequisites'],
  ...['trackEvents', 'trackEventsFallthrough', 'archived', 'version', 'lastModified', '_environmentName', '_site'],
  ...['_summary', '_debugEventsUntilDate', 'migrationSettings', '_access'],
])

const segmentMembers = new Set([
  ...[
    'key',
    'name',
    'description',
    'tags',
    'included',
    'excluded',
    'includedContexts',
    'excludedContexts',
    'unbounded',
  ],
  ...['unboundedContextKind', 'rules', '_links', '_access', '_flags', 'creationDate', 'lastModifiedDate', 'version'],
  ...['generation', 'deleted', '_unboundedMetadata', 'at', 'environmentKey', '_environmentKey'],
])

/** Reports the properties of a flag that have no counterpart, or are unknown. */
export function flagStrangers(flag: ReferenceFlag, about: Pick<Loss, 'flag' | 'at'>): Loss[] {
  const { maintainerId, maintainerTeamKey, experiments, goalIds, ...others } = flag
  const told: Loss[] = []
  const lose = (member: string, what: string, why: string, instead: string) =>
    told.push({ ...about, at: pointer(flag.at, member), what, why, instead, affects: 'nothing' })
  if (maintainerId) lose('maintainerId', 'maintainer', 'members have other ids here', 'the member who imports it becomes the maintainer')
  if (maintainerTeamKey) {
    lose(
      'maintainerTeamKey',
      'maintaining team',
      'the team may not exist here',
      `set it to ${maintainerTeamKey} when the team exists`,
    )
  }
  if (isFilled(experiments) || isFilled(goalIds)) {
    lose('experiments', 'experiments', 'they are not part of flags here', 'left out')
  }
  const places = Object.entries(flag.environments ?? {}).flatMap(([name, config]) =>
    strangers(config, configMembers, pointer(flag.at, 'environments', name), { ...about, environment: name }),
  )
  return [...told, ...strangers(others, flagMembers, flag.at, about), ...places]
}

function isFilled(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (typeof value !== 'object' || value === null) return false
  return isFilled((value as { readonly items?: unknown }).items)
}

/** The same for a segment. */
export function segmentStrangers(segment: ReferenceSegment, about: Partial<Loss>): Loss[] {
  return strangers(segment, segmentMembers, segment.at, about)
}
