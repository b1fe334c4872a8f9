import type { AudienceConfiguration } from '../../models/release-pipelines/release-pipeline.ts'
import { type ReleaseAudience, type ReleasePhase, releases } from '../../models/releases/release.ts'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { validateReferences } from '../../operation/references.ts'
import type { Output } from '../../operation/schema.ts'
import type { ValidationError } from '../../rules/json-guard.ts'
import { advancePhase } from '../../rules/release/progression.ts'
import { viewsProject } from '../projects/project-schema.ts'
import { recipientReferences } from '../release-pipelines/phase-references.ts'
import { withStatuses } from './advance-release.ts'
import { audienceProgress } from './audience-progress.ts'
import { phaseStatusRequest, releaseResponse, serializeRelease } from './release-schema.ts'
import { saveRelease } from './save-release.ts'

export const putPhaseStatus = operation({
  id: 'putPhaseStatus',
  summary: 'Start, pause or complete a phase of the release of a feature flag',
  method: 'PUT',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/release/phases/{phaseId}',
  beta: 'tagged',
  body: jsonBody(phaseStatusRequest),
  success: { status: 200, body: releaseResponse },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    action: releases.changeActions,
    resource: releases.template,
    shows: viewsProject,
  },
  async handle(context, { params, body }) {
    const { tx, fail } = context
    const before = (await tx.get(releases, params)) ?? fail('not_found')
    context.requireRevision(before.version)
    const index = before.phases.findIndex(({ id }) => id === params.phaseId)
    const phase = before.phases[index] ?? fail('not_found')
    const recipients = body.audiences.flatMap((audience, index) => recipientReferences(audience, `audiences.${index}`))
    const statuses = before.phases.map(({ status }) => status)
    const advance = advancePhase(statuses, index, body.status)
    const progressOf = await audienceProgress(tx, params, [phase])
    const errors = [
      ...(body.status === 'Complete' && phase.status !== 'Complete' ? unservedErrors(phase, progressOf) : []),
      ...(advance.ok ? [] : [{ attribute: 'status', reason: advance.reason }]),
      ...validateAudiences(phase, body.audiences),
      ...(await validateReferences(tx, recipients)),
    ]
    if (errors.length > 0 || !advance.ok) return fail('invalid_request', { errors })
    const phases = before.phases.with(index, withConfigurations(phase, body.audiences))
    const advanced = withStatuses({ ...before, phases }, advance.statuses, {
      now: context.readClock(),
      caller: context.caller,
    })
    const after = await saveRelease(context, { keys: params, before, after: advanced }, body.comment)
    context.setRevision(after.version)
    return serializeRelease(context, after, params)
  },
})

/**
 * Returns an error for each audience that keeps a phase from being complete: its change waits for approval or failed,
 * or its release has not reached all of its contexts.
 */
function unservedErrors(
  phase: ReleasePhase,
  progressOf: Awaited<ReturnType<typeof audienceProgress>>,
): ValidationError[] {
  return phase.audiences.flatMap((audience) => {
    const { status } = progressOf(phase, audience)
    if (['notStarted', 'served', 'completed', 'stopped'].includes(status)) return []
    return [{ attribute: 'status', reason: `must not be Complete while the audience ${audience.name} is ${status}` }]
  })
}

type AudienceRequest = Output<typeof phaseStatusRequest>['audiences'][number]

function validateAudiences({ audiences }: ReleasePhase, requests: readonly AudienceRequest[]): ValidationError[] {
  const ids = new Set(audiences.map(({ id }) => id))
  return requests.flatMap(({ audienceId }, index) =>
    ids.delete(audienceId)
      ? []
      : [
          {
            attribute: `audiences.${index}.audienceId`,
            reason: 'must be the _id of an audience of the phase and must not be repeated',
          },
        ],
  )
}

function withConfigurations(phase: ReleasePhase, requests: readonly AudienceRequest[]): ReleasePhase {
  const byId = new Map(requests.map(({ audienceId, ...configuration }) => [audienceId, configuration]))
  const audiences = phase.audiences.map((audience): ReleaseAudience => {
    const configuration = byId.get(audience.id)
    return configuration
      ? { ...audience, configuration: { ...(audience.configuration ?? defaultConfiguration), ...configuration } }
      : audience
  })
  return { ...phase, audiences }
}

/** Initial configuration of an audience without one. Only monitored releases have a configuration. */
const defaultConfiguration: AudienceConfiguration = {
  releaseStrategy: 'monitoredRelease',
  requireApproval: false,
  notifyMemberIds: [],
  notifyTeamKeys: [],
}
