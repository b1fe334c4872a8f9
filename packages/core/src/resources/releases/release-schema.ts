import * as v from 'valibot'
import type { FlagKeys } from '../../models/flags/flag.ts'
import { releasePipelines } from '../../models/release-pipelines/release-pipeline.ts'
import type { Release, ReleaseAudience, ReleasePhase } from '../../models/releases/release.ts'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path, selfAndParent } from '../../operation/link.ts'
import { key, links, list, text, timestamp } from '../../operation/schema.ts'
import { phaseStatuses } from '../../rules/release/progression.ts'
import { distinctKeys } from '../members/member-schema.ts'
import {
  audienceResponse,
  audienceSerializer,
  checkReferenceCount,
  recipientsOf,
  releaseGuardianConfiguration,
} from '../release-pipelines/audience-schema.ts'
import { memberIds } from '../teams/team-instruction.ts'
import { type AudienceProgress, audienceProgress, audienceStatuses } from './audience-progress.ts'

/** Request body that releases a flag by a pipeline. */
export const releaseRequest = v.strictObject({
  /** Default: the default pipeline of the project. */
  releasePipelineKey: v.optional(key()),
  releaseVariationId: v.optional(v.string()),
})

/** Request body that advances a phase. It may set the configurations of audiences for this release. */
export const phaseStatusRequest = v.strictObject({
  status: v.picklist(phaseStatuses),
  audiences: v.optional(
    v.pipe(
      list(
        v.strictObject({
          audienceId: v.string(),
          releaseGuardianConfiguration: v.optional(releaseGuardianConfiguration),
          notifyMemberIds: v.optional(memberIds()),
          notifyTeamKeys: v.optional(distinctKeys()),
        }),
      ),
      v.maxLength(100, 'must contain at most 100 audiences'),
      checkReferenceCount((audiences) => audiences.flatMap(recipientsOf)),
    ),
    [],
  ),
  comment: v.optional(text()),
})

const linkedId = v.object({ _id: v.string(), _links: links() })

const releaseObject = v.object({
  _links: links(),
  name: v.string(),
  releasePipelineKey: v.string(),
  releasePipelineDescription: v.string(),
  releaseVariationId: v.string(),
  phases: list(
    v.object({
      _id: v.string(),
      _name: v.string(),
      complete: v.boolean(),
      _creationDate: timestamp(),
      _completionDate: v.optional(timestamp()),
      _completedBy: v.optional(v.object({ member: v.optional(linkedId), token: v.optional(linkedId) })),
      _audiences: list(
        v.object({
          _id: v.string(),
          ...audienceResponse.entries,
          _ruleIds: list(v.string()),
          status: v.picklist(audienceStatuses),
          /** Id of the approval request that must be approved before the audience receives the released variation. */
          approvalRequestId: v.optional(v.string()),
          automatedReleaseId: v.optional(v.string()),
          /** Time of the next step of the automated release for the audience. */
          nextStepAt: v.optional(timestamp()),
        }),
      ),
      status: v.picklist(phaseStatuses),
      started: v.boolean(),
      _startedDate: v.optional(timestamp()),
      configuration: v.record(v.string(), v.unknown()),
    }),
  ),
  _version: v.number(),
})

/** A release in a response. */
export interface ReleaseResponse extends v.InferOutput<typeof releaseObject> {}

export const releaseResponse: v.GenericSchema<ReleaseResponse> = releaseObject

/** Serializes a release with the current names of its pipeline and phases. */
export async function serializeRelease(
  context: ReadContext,
  release: Release,
  { projectKey, flagKey }: FlagKeys,
): Promise<ReleaseResponse> {
  const [storedPipeline, serializeAudience, progressOf] = await Promise.all([
    context.tx.get(releasePipelines, { projectKey, pipelineKey: release.pipelineKey }),
    audienceSerializer(context, projectKey, release.phases),
    audienceProgress(context.tx, { projectKey, flagKey }, release.phases),
  ])
  const pipeline = storedPipeline?.id === release.pipelineId ? storedPipeline : undefined
  const names = new Map(pipeline?.phases.map(({ id, name }) => [id, name]))
  const { time } = context.format
  return {
    _links: releaseLinks(projectKey, flagKey),
    name: pipeline?.name ?? release.pipelineName,
    releasePipelineKey: release.pipelineKey,
    releasePipelineDescription: pipeline?.description ?? release.pipelineDescription,
    releaseVariationId: release.variationId,
    phases: release.phases.map((phase) => ({
      _id: phase.id,
      _name: names.get(phase.id) ?? phase.name,
      complete: phase.status === 'Complete',
      _creationDate: time(release.createdAt),
      ...(phase.completedAt === undefined ? {} : { _completionDate: time(phase.completedAt) }),
      ...(phase.completedBy ? { _completedBy: serializeActor(phase.completedBy) } : {}),
      _audiences: phase.audiences.map((releaseAudience) => ({
        _id: releaseAudience.id,
        ...serializeAudience(releaseAudience),
        ...shownProgress(time, releaseAudience, progressOf(phase, releaseAudience)),
      })),
      status: phase.status,
      started: phase.startedAt !== undefined,
      ...(phase.startedAt === undefined ? {} : { _startedDate: time(phase.startedAt) }),
      configuration: phase.configuration,
    })),
    _version: release.version,
  }
}

function shownProgress(
  time: ReadContext['format']['time'],
  { ruleIds, approvalRequestId }: ReleaseAudience,
  { status, automatedRelease: release }: AudienceProgress,
) {
  // The rule for an audience with an approval request is made when the request is applied.
  const requestedRule = release?.ruleId !== undefined && !ruleIds.includes(release.ruleId) ? [release.ruleId] : []
  return {
    _ruleIds: [...ruleIds, ...requestedRule],
    status,
    ...(approvalRequestId === undefined ? {} : { approvalRequestId }),
    ...(release ? { automatedReleaseId: release.id } : {}),
    ...(release?.nextStepAt === undefined ? {} : { nextStepAt: time(release.nextStepAt) }),
  }
}

function serializeActor({ memberId, tokenId }: NonNullable<ReleasePhase['completedBy']>) {
  return {
    ...(memberId ? { member: { _id: memberId, _links: { self: linkTo(path`/api/v2/members/${memberId}`) } } } : {}),
    ...(tokenId ? { token: { _id: tokenId, _links: { self: linkTo(path`/api/v2/tokens/${tokenId}`) } } } : {}),
  }
}

/** Links to the release of a flag and to the flag. */
export function releaseLinks(projectKey: string, flagKey: string) {
  const flag = path`/api/v2/flags/${projectKey}/${flagKey}`
  return selfAndParent(`${flag}/release`, flag)
}
