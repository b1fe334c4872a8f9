export type DeploymentEventType = 'started' | 'failed' | 'finished' | 'custom'

export interface DeploymentEvent {
  readonly type: DeploymentEventType
  /** Time of the event, which can be long before it was reported: integer ms, UTC. */
  readonly at: number
}

/**
 * Summary of a deployment's events. Every property is an earliest or a latest time, so that the history is the same
 * when events come in any order, late or twice.
 */
export interface DeploymentHistory {
  readonly firstSeenAt: number
  readonly lastStartedAt?: number
  readonly firstEndedAt?: number
  readonly lastFailedAt?: number
  readonly lastFinishedAt?: number
}

/** State of a deployment, derived from its history. */
export interface DeploymentState {
  readonly status: 'started' | 'failed' | 'finished'
  /** `redeployment` when the version was started again after it had ended. */
  readonly kind: 'deployment' | 'redeployment'
  /** Time of the latest start, or of the earliest event if no start was reported. */
  readonly startedAt: number
  /** Undefined while the deployment runs. */
  readonly endedAt?: number
  /** Undefined while the deployment runs, and when no start was reported. */
  readonly durationMs?: number
}

/**
 * Adds events to a history, in any order.
 *
 * @param history undefined for the first events of a deployment.
 * @param events at least one when there is no history.
 */
export function withEvents(
  history: DeploymentHistory | undefined,
  events: readonly DeploymentEvent[],
): DeploymentHistory {
  let { firstSeenAt = Infinity, lastStartedAt, firstEndedAt, lastFailedAt, lastFinishedAt } = history ?? noHistory
  for (const { type, at } of events) {
    firstSeenAt = Math.min(firstSeenAt, at)
    if (type === 'started') lastStartedAt = latest(lastStartedAt, at)
    if (type === 'failed') lastFailedAt = latest(lastFailedAt, at)
    if (type === 'finished') lastFinishedAt = latest(lastFinishedAt, at)
    if (type === 'failed' || type === 'finished') firstEndedAt = earliest(firstEndedAt, at)
  }
  const next: { -readonly [Property in keyof DeploymentHistory]: DeploymentHistory[Property] } = { firstSeenAt }
  if (lastStartedAt !== undefined) next.lastStartedAt = lastStartedAt
  if (firstEndedAt !== undefined) next.firstEndedAt = firstEndedAt
  if (lastFailedAt !== undefined) next.lastFailedAt = lastFailedAt
  if (lastFinishedAt !== undefined) next.lastFinishedAt = lastFinishedAt
  return next
}

const noHistory: Partial<DeploymentHistory> = {}

/** Derives the state from a history. If a failure and a success have the same millisecond, the failure counts. */
export function stateOf(history: DeploymentHistory): DeploymentState {
  const { firstSeenAt, lastStartedAt, firstEndedAt, lastFailedAt = -1, lastFinishedAt = -1 } = history
  const kind = lastStartedAt !== undefined && lastStartedAt > (firstEndedAt ?? Infinity) ? 'redeployment' : 'deployment'
  const startedAt = lastStartedAt ?? firstSeenAt
  const endedAt = Math.max(lastFailedAt, lastFinishedAt)
  // An end before the latest start belongs to an earlier attempt.
  if (endedAt < startedAt) return { status: 'started', kind, startedAt }
  const status = lastFailedAt >= lastFinishedAt ? 'failed' : 'finished'
  if (lastStartedAt === undefined) return { status, kind, startedAt, endedAt }
  return { status, kind, startedAt, endedAt, durationMs: endedAt - startedAt }
}

function earliest(current: number | undefined, time: number): number {
  return current === undefined ? time : Math.min(current, time)
}

function latest(current: number | undefined, time: number): number {
  return current === undefined ? time : Math.max(current, time)
}
