import { flags } from '../../models/flags/flag.ts'
import { segments } from '../../models/segments/segment.ts'
import type { ViewKeys } from '../../models/views/view.ts'
import {
  flagViews,
  segmentLinkKey,
  segmentViews,
  type ViewLink,
  viewFlags,
  viewSegments,
} from '../../models/views/view-link.ts'
import type { FilterParser } from '../../operation/filters/filter.ts'
import { path } from '../../operation/link.ts'
import type { Versioned } from '../../storage/collection.ts'
import type { DocumentId } from '../../storage/port.ts'
import type { Writer } from '../../storage/writer.ts'
import type { Action } from '../../vocabulary/policy-kinds.ts'
import { readFlagFilter } from '../flags/looked-up-filters.ts'
import { segmentConditions } from '../segments/segment-conditions.ts'

/** Types of resources that can be linked to views, as paths name them. */
const resourceTypes = ['flags', 'segments'] as const

/** Identifies a resource that can be linked. */
export type LinkTarget = Pick<ViewLink, 'resourceKey' | 'environmentId' | 'environmentKey'>

/** A resource that can be linked, with the version that was read. */
export interface Linkable extends LinkTarget, Versioned {}

/** Differences between linking flags and linking segments. */
export interface LinkKind {
  readonly type: 'flag' | 'segment'
  readonly types: (typeof resourceTypes)[number]
  readonly linkAction: Action
  readonly unlinkAction: Action
  /** Links of a view to resources of this kind. */
  readonly links: typeof viewFlags
  readonly readFilter: FilterParser
  linkKey(target: LinkTarget): string
  /** Returns the id of the document of the resource. */
  idOf(projectKey: string, target: LinkTarget): DocumentId
  /** Returns the path of the resource in the API. */
  path(projectKey: string, target: LinkTarget): string
  /** Requires that the resource is unchanged at the commit. */
  expect(tx: Writer, projectKey: string, linkable: Linkable): void
  /** Writes the side of the link that is stored with the resource. */
  ensure(tx: Writer, view: ViewKeys, target: LinkTarget, link: Omit<ViewLink, 'version'>): void
  discard(tx: Writer, view: ViewKeys, target: LinkTarget): void
}

/** The links of a view to resources of one kind. */
export interface ViewLinks {
  readonly kind: LinkKind
  readonly keys: ViewKeys
}

const flagKind: LinkKind = {
  type: 'flag',
  types: 'flags',
  linkAction: 'linkFlagToView',
  unlinkAction: 'unlinkFlagFromView',
  links: viewFlags,
  readFilter: readFlagFilter,
  linkKey: ({ resourceKey }) => resourceKey,
  idOf: (projectKey, { resourceKey }) => flags.id({ projectKey, flagKey: resourceKey }),
  path: (projectKey, { resourceKey }) => path`/api/v2/flags/${projectKey}/${resourceKey}`,
  expect: (tx, projectKey, linkable) => tx.expect(flags, { projectKey, flagKey: linkable.resourceKey }, linkable),
  ensure: (tx, view, { resourceKey }, link) => tx.ensure(flagViews, { ...view, flagKey: resourceKey }, link),
  discard: (tx, view, { resourceKey }) => tx.discard(flagViews, { ...view, flagKey: resourceKey }),
}

const segmentKind: LinkKind = {
  type: 'segment',
  types: 'segments',
  linkAction: 'linkSegmentToView',
  unlinkAction: 'unlinkSegmentFromView',
  links: viewSegments,
  readFilter: segmentConditions,
  linkKey: ({ environmentKey = '', resourceKey }) => segmentLinkKey(environmentKey, resourceKey),
  idOf: (projectKey, target) => segments.id({ projectKey, ...segmentKeys(target) }),
  path: (projectKey, { environmentKey = '', resourceKey }) =>
    path`/api/v2/segments/${projectKey}/${environmentKey}/${resourceKey}`,
  expect: (tx, projectKey, linkable) => tx.expect(segments, { projectKey, ...segmentKeys(linkable) }, linkable),
  ensure: (tx, view, target, link) => tx.ensure(segmentViews, { ...view, ...segmentKeys(target) }, link),
  discard: (tx, view, target) => tx.discard(segmentViews, { ...view, ...segmentKeys(target) }),
}

function segmentKeys({ environmentKey = '', resourceKey }: LinkTarget) {
  return { environmentKey, segmentKey: resourceKey }
}

/** Returns the kind that a path names; undefined when the type cannot be linked. */
export function linkKindOf(types: string): LinkKind | undefined {
  return [flagKind, segmentKind].find((kind) => kind.types === types)
}
