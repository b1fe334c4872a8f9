export type DeploymentEventType = 'started' | 'failed' | 'finished' | 'custom'

export interface DeploymentEvent {
  readonly type: DeploymentEventType
  /** When it happened, which can be long before it was told: integer ms, UTC. */
  readonly at: number
}

/**
 * What is kept of a deployment's events. Every member is an earliest or a latest moment, so that events may come in
 * any order, late or twice, and the history is the same.
 */
export interface DeploymentHistory {
  readonly firstSeenAt: number
  readonly lastStartedAt?: number
  readonly firstEndedAt?: number
  readonly lastFailedAt?: number
  readonly lastFinishedAt?: number
}

/** How a deployment stands, as its history tells. */
export interface DeploymentState {
  readonly status: 'started' | 'failed' | 'finished'
  /** `redeployment` once the version was started again after it had come to an end. */
  readonly kind: 'deployment' | 'redeployment'
  /** The latest start; where none was told, the earliest event. */
  readonly startedAt: number
  /** Undefined while it runs. */
  readonly endedAt?: number
  /** Undefined while it runs, and when its start was not told. */
  readonly durationMs?: number
}

/**
 * Adds events to a history, in any order.
 *
 * @param history undefined for the first events of a deployment.
 * @param events at least one where there is no history.
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
  const next: { -readonly [Member in keyof DeploymentHistory]: DeploymentHistory[Member] } = { firstSeenAt }
  if (lastStartedAt !== undefined) next.lastStartedAt = lastStartedAt
  if (firstEndedAt !== undefined) next.firstEndedAt = firstEndedAt
  if (lastFailedAt !== undefined) next.lastFailedAt = lastFailedAt
  if (lastFinishedAt !== undefined) next.lastFinishedAt = lastFinishedAt
  return next
}

const noHistory: Partial<DeploymentHistory> = {}

/** Reads the state off a history. Of a failure and a success in the same millisecond the failure counts. */
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

function earliest(known: number | undefined, at: number): number {
  return known === undefined ? at : Math.min(known, at)
}

function latest(known: number | undefined, at: number): number {
  return known === undefined ? at : Math.max(known, at)
}
