import { environments } from '../../models/environments/environment.ts'
import { members } from '../../models/members/member.ts'
import { metrics } from '../../models/metrics/metric.ts'
import { projects } from '../../models/projects/project.ts'
import {
  type Audience,
  type AudienceConfiguration,
  type ReleasePipeline,
  releasePipelines,
} from '../../models/release-pipelines/release-pipeline.ts'
import { policyRankings, withoutPolicy } from '../../models/release-policies/policy-ranking.ts'
import { releasePolicies } from '../../models/release-policies/release-policy.ts'
import { activePhase, releases } from '../../models/releases/release.ts'
import { segments } from '../../models/segments/segment.ts'
import { teams } from '../../models/teams/team.ts'
import { type DeletionRule, type ReferenceRow, referenceRow } from '../../operation/reference-row.ts'
import type { Documents, Versioned } from '../../storage/collection.ts'

/** A pipeline or a release, whose phases have audiences. */
interface PhasedDocument extends Versioned {
  readonly phases: readonly { readonly audiences: readonly Audience[] }[]
}

const audiencesOf = ({ phases }: PhasedDocument): readonly Audience[] => phases.flatMap(({ audiences }) => audiences)

/** Changes the audiences of all phases; an audience that becomes undefined is removed. */
function withAudiences<T extends PhasedDocument>(document: T, change: (audience: Audience) => Audience | undefined): T {
  const phases = document.phases.map((phase) => ({
    ...phase,
    audiences: phase.audiences.flatMap((audience) => change(audience) ?? []),
  }))
  return { ...document, phases }
}

function withConfiguration(
  audience: Audience,
  change: (configuration: AudienceConfiguration) => Partial<AudienceConfiguration>,
): Audience {
  const { configuration } = audience
  return configuration ? { ...audience, configuration: { ...configuration, ...change(configuration) } } : audience
}

/**
 * Returns an audience without a deleted segment; undefined if it had no other segment, because without segments it
 * would be the whole environment.
 */
function audienceWithoutSegment(audience: Audience, environmentKey: string, segmentKey: string): Audience | undefined {
  if (audience.environmentKey !== environmentKey || !audience.segmentKeys.includes(segmentKey)) return audience
  const segmentKeys = audience.segmentKeys.filter((key) => key !== segmentKey)
  return segmentKeys.length > 0 ? { ...audience, segmentKeys } : undefined
}

/** Returns the references of the audiences in pipelines or releases. */
function audienceReferences<T extends PhasedDocument>(
  from: Documents<T, string>,
  rule: DeletionRule,
  why: string | undefined,
): ReferenceRow[] {
  const shared = { from, rule, why, leftBehind: true } as const
  const notified = { from, rule: 'detach' } as const
  return [
    referenceRow({
      ...shared,
      property: 'phases.audiences.environmentKey',
      to: environments,
      targets: (document, { projectKey = '' }) =>
        audiencesOf(document).map(({ environmentKey }) => ({ projectKey, environmentKey })),
      withoutReference: (document, { environmentKey }) =>
        withAudiences(document, (audience) => (audience.environmentKey === environmentKey ? undefined : audience)),
    }),
    referenceRow({
      ...shared,
      property: 'phases.audiences.segmentKeys',
      to: segments,
      targets: (document, { projectKey = '' }) =>
        audiencesOf(document).flatMap(({ environmentKey, segmentKeys }) =>
          segmentKeys.map((segmentKey) => ({ projectKey, environmentKey, segmentKey })),
        ),
      withoutReference: (document, { environmentKey, segmentKey }) =>
        withAudiences(document, (audience) => audienceWithoutSegment(audience, environmentKey, segmentKey)),
    }),
    referenceRow({
      ...notified,
      property: 'phases.audiences.configuration.notifyMemberIds',
      to: members,
      why: 'A member who was deleted is not notified.',
      targets: (document) =>
        audiencesOf(document).flatMap(({ configuration }) =>
          (configuration?.notifyMemberIds ?? []).map((memberId) => ({ memberId })),
        ),
      withoutReference: (document, { memberId }) =>
        withAudiences(document, (audience) =>
          withConfiguration(audience, ({ notifyMemberIds }) => ({
            notifyMemberIds: notifyMemberIds.filter((id) => id !== memberId),
          })),
        ),
      unchecked: true,
    }),
    referenceRow({
      ...notified,
      property: 'phases.audiences.configuration.notifyTeamKeys',
      to: teams,
      why: 'A team that was deleted is not notified.',
      targets: (document) =>
        audiencesOf(document).flatMap(({ configuration }) =>
          (configuration?.notifyTeamKeys ?? []).map((teamKey) => ({ teamKey })),
        ),
      withoutReference: (document, { teamKey }) =>
        withAudiences(document, (audience) =>
          withConfiguration(audience, ({ notifyTeamKeys }) => ({
            notifyTeamKeys: notifyTeamKeys.filter((key) => key !== teamKey),
          })),
        ),
      leftBehind: true,
    }),
  ]
}

/** References of release pipelines, releases and release policies. */
export const releaseReferences: readonly ReferenceRow[] = [
  ...audienceReferences<ReleasePipeline>(releasePipelines, 'refuse', undefined),
  ...audienceReferences(
    releases,
    'detach',
    'A release has the same phases as its pipeline, and the reference of the pipeline prevents the deletion.',
  ),
  referenceRow({
    from: projects,
    property: 'defaultReleasePipelineKey',
    to: releasePipelines,
    rule: 'refuse',
    targets: ({ defaultReleasePipelineKey }, { projectKey }) =>
      defaultReleasePipelineKey === undefined ? [] : [{ projectKey, pipelineKey: defaultReleasePipelineKey }],
    where: ({ projectKey }) => [{ op: 'equals', field: 'key', value: projectKey }],
    withoutReference: (project) => ({ ...project, defaultReleasePipelineKey: undefined }),
  }),
  referenceRow({
    from: releases,
    property: 'pipelineKey',
    dependsOn: ['phases'],
    to: releasePipelines,
    rule: 'refuse',
    why: 'Only while the release is active. A completed release names the pipeline by id, which is never used again.',
    targets: (release, { projectKey }) =>
      activePhase(release) ? [{ projectKey, pipelineKey: release.pipelineKey }] : [],
    where: () => [{ op: 'equals', field: 'state', value: 'active' }],
    withoutReference: () => undefined,
    deleteAction: 'removeReleasePipeline',
  }),
  referenceRow({
    from: releasePolicies,
    property: 'scope.environmentKeys',
    to: environments,
    rule: 'refuse',
    targets: ({ scope }, { projectKey }) =>
      (scope?.environmentKeys ?? []).map((environmentKey) => ({ projectKey, environmentKey })),
    // A policy for no environment would apply in all of them, so it is deleted.
    withoutReference: ({ scope, ...policy }, { environmentKey }) => {
      const environmentKeys = scope?.environmentKeys.filter((key) => key !== environmentKey) ?? []
      return environmentKeys.length > 0
        ? { ...policy, scope: { flagTagKeys: [], ...scope, environmentKeys } }
        : undefined
    },
    deleteAction: 'deleteReleasePolicy',
    leftBehind: true,
  }),
  referenceRow({
    from: releasePolicies,
    property: 'guardedReleaseConfig.metricKeys',
    to: metrics,
    rule: 'refuse',
    targets: ({ guardedReleaseConfig }, { projectKey }) =>
      (guardedReleaseConfig?.metricKeys ?? []).map((metricKey) => ({ projectKey, metricKey })),
    withoutReference: ({ guardedReleaseConfig: config, ...policy }, { metricKey }) => {
      const metricKeys = config?.metricKeys.filter((key) => key !== metricKey) ?? []
      return config ? { ...policy, guardedReleaseConfig: { ...config, metricKeys } } : policy
    },
    leftBehind: true,
    unchecked: true,
  }),
  referenceRow({
    from: policyRankings,
    property: 'scoped',
    otherProperties: ['defaultKey'],
    to: releasePolicies,
    rule: 'detach',
    why: 'The later policies move up by one rank.',
    targets: ({ scoped, defaultKey }, { projectKey }) =>
      [...scoped, ...(defaultKey === undefined ? [] : [defaultKey])].map((policyKey) => ({ projectKey, policyKey })),
    withoutReference: (ranking, { policyKey }) => withoutPolicy(ranking, policyKey),
  }),
]
