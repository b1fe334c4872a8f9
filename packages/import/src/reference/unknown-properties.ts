import type { UnsupportedPart } from '../conditions/translation.ts'
import type { Loss } from '../imported-project.ts'
import { pointer, unknownProperties } from '../read-shape.ts'
import type { ReferenceFlag, ReferenceSegment } from './export.ts'

const flagProperties = new Set([
  ...['key', 'name', 'kind', 'description', 'variations', 'defaults', 'temporary', 'tags', 'archived', 'deprecated'],
  ...['customProperties', 'clientSideAvailability', 'includeInSnippet', 'purpose', 'migrationSettings', 'environments'],
  // Times and links of the original service are ignored.
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

const configProperties = new Set([
  ...['on', 'salt', 'sel', 'targets', 'contextTargets', 'rules', 'fallthrough', 'offVariation', 'prerequisites'],
  ...['trackEvents', 'trackEventsFallthrough', 'archived', 'version', 'lastModified', '_environmentName', '_site'],
  ...['_summary', '_debugEventsUntilDate', 'migrationSettings', '_access'],
])

const segmentProperties = new Set([
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
export function unknownFlagProperties(flag: ReferenceFlag, owner: Pick<Loss, 'flag' | 'at'>): Loss[] {
  const { maintainerId, maintainerTeamKey, experiments, goalIds, ...others } = flag
  const losses: Loss[] = []
  const addLoss = (property: string, part: UnsupportedPart) =>
    losses.push({
      ...owner,
      at: pointer(flag.at, property),
      ...part,
      affects: 'nothing',
    })
  if (maintainerId)
    addLoss('maintainerId', {
      what: 'maintainer',
      why: 'members have other ids in this account',
      instead: 'the member who imports it becomes the maintainer',
    })
  if (maintainerTeamKey) {
    addLoss('maintainerTeamKey', {
      what: 'maintaining team',
      why: 'the team does not necessarily exist in this account',
      instead: `set it to ${maintainerTeamKey} when the team exists`,
    })
  }
  if (isNonEmpty(experiments) || isNonEmpty(goalIds)) {
    addLoss('experiments', { what: 'experiments', why: 'they are not part of flags in Halyard', instead: 'left out' })
  }
  const configLosses = Object.entries(flag.environments ?? {}).flatMap(([name, config]) =>
    unknownProperties(config, configProperties, {
      at: pointer(flag.at, 'environments', name),
      owner: {
        ...owner,
        environment: name,
      },
    }),
  )
  return [...losses, ...unknownProperties(others, flagProperties, { at: flag.at, owner }), ...configLosses]
}

function isNonEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (typeof value !== 'object' || value === null) return false
  return isNonEmpty((value as { readonly items?: unknown }).items)
}

/** Reports the properties of a segment that the import does not read. */
export function unknownSegmentProperties(segment: ReferenceSegment, owner: Partial<Loss>): Loss[] {
  return unknownProperties(segment, segmentProperties, { at: segment.at, owner })
}
