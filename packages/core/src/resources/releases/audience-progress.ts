import { type ApprovalRequest, approvalRequests } from '../../models/approval-requests/approval-request.ts'
import type { AutomatedRelease } from '../../models/flags/automated-release.ts'
import type { FlagKeys } from '../../models/flags/flag.ts'
import { flagConfigs } from '../../models/flags/flag-config.ts'
import { environmentsIn } from '../../models/release-pipelines/release-pipeline.ts'
import type { ReleaseAudience, ReleasePhase } from '../../models/releases/release.ts'
import type { Reader } from '../../storage/reader.ts'

/**
 * Statuses of an audience: before it is served, while it waits for an approval, after it was served immediately, and
 * those of its automated release.
 */
export const audienceStatuses = [
  'notStarted',
  'waitingForApproval',
  'approvalFailed',
  'served',
  'running',
  'held',
  'completed',
  'rolledBack',
  'stopped',
] as const

export type AudienceStatus = (typeof audienceStatuses)[number]

/** The status of an audience, and the automated release that serves it. */
export interface AudienceProgress {
  readonly status: AudienceStatus
  readonly automatedRelease?: AutomatedRelease
}

/** Reads the state of the audiences of some phases, and returns a function that returns the progress of each. */
export async function audienceProgress(
  tx: Reader,
  keys: FlagKeys,
  phases: readonly ReleasePhase[],
): Promise<(phase: ReleasePhase, audience: ReleaseAudience) => AudienceProgress> {
  const started = phases.filter(({ startedAt }) => startedAt !== undefined)
  const environmentKeys = environmentsIn(started)
  const requested = started.flatMap(({ audiences }) => audiences.filter(({ approvalRequestId }) => approvalRequestId))
  const [configs, requests] = await Promise.all([
    tx.getMany(
      flagConfigs,
      environmentKeys.map((environmentKey) => ({ ...keys, environmentKey })),
    ),
    tx.getMany(
      approvalRequests.flag,
      requested.map(({ environmentKey, approvalRequestId: id = '' }) => ({
        ...{ projectKey: keys.projectKey, environmentKey, resourceKey: keys.flagKey, id },
      })),
    ),
  ])
  const releases = configs.flatMap((config) => config?.automatedReleases ?? [])
  return ({ startedAt }, { id, approvalRequestId }) => {
    if (startedAt === undefined) return { status: 'notStarted' }
    const automatedRelease = releases.findLast(({ audienceId }) => audienceId === id)
    if (automatedRelease) return { status: automatedRelease.status, automatedRelease }
    if (approvalRequestId === undefined) return { status: 'served' }
    return { status: approvalStatus(requests.find((request) => request?.id === approvalRequestId)) }
  }
}

/**
 * Returns the status of an audience whose change needs approval. A request that was deleted or that failed leaves the
 * audience without the change.
 */
function approvalStatus(request: ApprovalRequest | undefined): AudienceStatus {
  if (request?.status === 'completed') return 'served'
  return !request || request.status === 'failed' ? 'approvalFailed' : 'waitingForApproval'
}
