import { aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { type ApprovableKind, approvalIndex } from '../../models/approval-requests/approval-request.ts'
import { repositories } from '../../models/code-references/repository.ts'
import { deploymentIndex } from '../../models/deployments/deployment.ts'
import { environments } from '../../models/environments/environment.ts'
import { flagUses } from '../../models/flag-evaluations/flag-evaluation.ts'
import { flagFollowers } from '../../models/flag-followers/flag-followers.ts'
import { flags } from '../../models/flags/flag.ts'
import { projects } from '../../models/projects/project.ts'
import { releases } from '../../models/releases/release.ts'
import { segments } from '../../models/segments/segment.ts'
import { type ViewKeys, views } from '../../models/views/view.ts'
import {
  flagViews,
  segmentLinkKey,
  segmentViews,
  type ViewLink,
  viewFlags,
  viewSegments,
} from '../../models/views/view-link.ts'
import { type ReferenceRow, referenceRow } from '../../operation/reference-row.ts'
import type { Documents, Keys, Versioned } from '../../storage/collection.ts'
import type { Condition } from '../../storage/port.ts'
import { branches } from '../code-references/branch.ts'
import { extinctions } from '../code-references/extinction.ts'
import { flagTriggerIndex } from '../flag-triggers/flag-trigger.ts'
import { insightGroupIndex } from '../insight-groups/insight-group.ts'

const equals = (field: string, value: string): Condition => ({ op: 'equals', field, value })

interface EnvironmentRef {
  readonly projectKey: string
  readonly environmentKey: string
}

/** A document that belongs to a project, and may belong to one of its environments. */
interface ProjectPart {
  readonly projectKey: string
  readonly environmentKey?: string
}

/** Documents that belong to a project or environment, but are stored outside of its scope. */
function belongingTo<T extends Versioned & ProjectPart, A extends string>(from: Documents<T, A>): ReferenceRow[] {
  const why = 'It is the index entry of a document that the deletion removes.'
  return [
    referenceRow({
      from,
      property: 'projectKey',
      to: projects,
      rule: 'remove',
      why,
      targets: ({ projectKey }) => [{ projectKey }],
      where: ({ projectKey }) => [equals('projectKey', projectKey)],
    }),
    referenceRow({
      from,
      property: 'environmentKey',
      to: environments,
      rule: 'remove',
      why,
      targets: ({ projectKey, environmentKey }) =>
        environmentKey === undefined ? [] : [{ projectKey, environmentKey }],
      where: ({ projectKey, environmentKey }) => [
        equals('projectKey', projectKey),
        equals('environmentKey', environmentKey),
      ],
    }),
  ]
}

/**
 * Returns the references of the index entries of approval requests. An entry is stored under the flag, segment or AI
 * config of its request.
 */
function entriesOfRequests<T extends Versioned, A extends string>(
  kind: ApprovableKind,
  to: Documents<T, A>,
  keysOf: (ref: EnvironmentRef & { readonly resourceKey: string }) => Keys<A>,
  where: (target: Keys<A>) => readonly Condition[],
): ReferenceRow {
  return referenceRow({
    from: approvalIndex,
    property: 'resourceKey',
    to,
    rule: 'remove',
    why: 'It is the index entry of a request that the deletion removes.',
    targets: (entry) => (entry.kind === kind ? [keysOf({ environmentKey: '', ...entry })] : []),
    where: (target) => [equals('kind', kind), ...where(target)],
  })
}

const linked = 'A link is deleted with each of the two documents that it links.'

/** The references of links that are stored with the linked resource. */
const linkedView = {
  property: '(key)',
  to: views,
  rule: 'remove',
  why: linked,
  targets: (_: ViewLink, { projectKey, viewKey }: ViewKeys) => [{ projectKey, viewKey }],
  where: ({ viewKey }: ViewKeys) => [equals('key', viewKey)],
} as const

/** References of documents that are deleted together with the document that they belong to. */
export const projectReferences: readonly ReferenceRow[] = [
  ...belongingTo(approvalIndex),
  ...belongingTo(deploymentIndex),
  ...belongingTo(insightGroupIndex),
  ...belongingTo(flagTriggerIndex),
  referenceRow({
    from: flagTriggerIndex,
    property: 'flagKey',
    to: flags,
    rule: 'remove',
    why: 'It is the index entry of a trigger that the deletion removes.',
    targets: ({ projectKey, flagKey }) => [{ projectKey, flagKey }],
    where: ({ projectKey, flagKey }) => [equals('projectKey', projectKey), equals('flagKey', flagKey)],
  }),
  entriesOfRequests(
    'flag',
    flags,
    ({ projectKey, resourceKey }) => ({ projectKey, flagKey: resourceKey }),
    ({ projectKey, flagKey }) => [equals('projectKey', projectKey), equals('resourceKey', flagKey)],
  ),
  entriesOfRequests(
    'segment',
    segments,
    ({ projectKey, environmentKey, resourceKey }) => ({ projectKey, environmentKey, segmentKey: resourceKey }),
    ({ projectKey, environmentKey, segmentKey }) => [
      equals('projectKey', projectKey),
      equals('environmentKey', environmentKey),
      equals('resourceKey', segmentKey),
    ],
  ),
  entriesOfRequests(
    'aiconfig',
    aiConfigs,
    ({ projectKey, resourceKey }) => ({ projectKey, configKey: resourceKey }),
    ({ projectKey, configKey }) => [equals('projectKey', projectKey), equals('resourceKey', configKey)],
  ),
  referenceRow({
    from: viewFlags,
    property: 'resourceKey',
    to: flags,
    rule: 'remove',
    why: linked,
    targets: ({ resourceKey }, { projectKey }) => [{ projectKey, flagKey: resourceKey }],
    where: ({ flagKey }) => [equals('key', flagKey)],
  }),
  referenceRow({
    from: viewSegments,
    property: 'resourceKey',
    to: segments,
    rule: 'remove',
    why: linked,
    targets: ({ resourceKey, environmentKey = '' }, { projectKey }) => [
      { projectKey, environmentKey, segmentKey: resourceKey },
    ],
    where: ({ environmentKey, segmentKey }) => [equals('key', segmentLinkKey(environmentKey, segmentKey))],
  }),
  referenceRow({
    from: viewSegments,
    property: 'environmentKey',
    to: environments,
    rule: 'remove',
    why: linked,
    targets: ({ environmentKey = '' }, { projectKey }) => [{ projectKey, environmentKey }],
    where: ({ environmentKey }) => [equals('environmentKey', environmentKey)],
  }),
  referenceRow({ from: flagViews, ...linkedView }),
  referenceRow({ from: segmentViews, ...linkedView }),
  referenceRow({
    from: releases,
    property: '(key)',
    to: flags,
    rule: 'remove',
    why: 'A release belongs to one flag.',
    targets: (_, { projectKey, flagKey }) => [{ projectKey, flagKey }],
    where: ({ flagKey }) => [equals('key', flagKey)],
    unchecked: true,
  }),
  referenceRow({
    from: flagFollowers,
    property: '(key)',
    to: flags,
    rule: 'remove',
    why: 'A list of followers belongs to one flag.',
    targets: (_, { projectKey, flagKey }) => [{ projectKey, flagKey }],
    where: ({ flagKey }) => [equals('key', flagKey)],
    unchecked: true,
  }),
  referenceRow({
    from: flagUses,
    property: '(key)',
    to: flags,
    rule: 'remove',
    why: 'It counts evaluations of the flag.',
    targets: (_, { projectKey, flagKey }) => [{ projectKey, flagKey }],
    where: ({ flagKey }) => [equals('key', flagKey)],
    unchecked: true,
  }),
  referenceRow({
    from: repositories,
    property: 'projectKeys',
    to: projects,
    rule: 'detach',
    why: 'The counts of code references of a project are deleted with it.',
    targets: ({ projectKeys }) => projectKeys.map((projectKey) => ({ projectKey })),
    withoutReference: (repository, { projectKey }) => ({
      ...repository,
      projectKeys: repository.projectKeys.filter((key) => key !== projectKey),
    }),
    unchecked: true,
  }),
  referenceRow({
    from: branches,
    property: 'references.hunks.projKey',
    to: projects,
    rule: 'detach',
    why: 'The code references of a project are deleted with it. The next scan may report them again.',
    targets: ({ references }) =>
      references.flatMap(({ hunks }) => hunks.map(({ projKey }) => ({ projectKey: projKey }))),
    withoutReference: (branch, { projectKey }) => ({
      ...branch,
      references: branch.references
        .map((reference) => ({ ...reference, hunks: reference.hunks.filter(({ projKey }) => projKey !== projectKey) }))
        .filter(({ hunks }) => hunks.length > 0),
    }),
    unchecked: true,
  }),
  referenceRow({
    from: extinctions,
    property: 'projKey',
    to: projects,
    rule: 'remove',
    why: 'The code references of a project are deleted with it.',
    targets: ({ projKey }) => [{ projectKey: projKey }],
    where: ({ projectKey }) => [equals('projKey', projectKey)],
    unchecked: true,
  }),
]
