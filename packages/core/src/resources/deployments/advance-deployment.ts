import { canonicalJson } from '../../rules/canonical-json.ts'
import type { Deployment, NamedMember, PullRequest } from './deployment.ts'
import type { ToldEvent } from './deployment-event-wire.ts'
import { type DeploymentEvent, type DeploymentHistory, withEvent } from './deployment-history.ts'

/** A deployment of which nothing has been told yet. */
export type Announced = Omit<Deployment, 'history' | 'version'> & { readonly history?: DeploymentHistory }

/** An event as it was told, and when it happened. */
export interface TimedEvent {
  readonly event: DeploymentEvent
  readonly told: ToldEvent
}

// Shared by all that have none: whoever stores a deployment has then seen them before.
const noMetadata = Object.freeze({})
const noPullRequests: readonly PullRequest[] = Object.freeze([])

/** A deployment that one is going to be told of. */
export function announced(id: string, { applicationKey, version }: ToldEvent, now: number): Announced {
  return {
    id,
    applicationKey,
    applicationKind: 'server',
    applicationVersion: version,
    metadata: noMetadata,
    metadataAt: -1,
    pullRequests: noPullRequests,
    archived: false,
    createdAt: now,
  }
}

/**
 * A deployment after more events. Whatever order they come in, and in however many calls, it ends up the same: names and
 * metadata are those of the event that happened last, changes stand in the order in which they were merged.
 */
export function advanced(before: Announced, events: readonly TimedEvent[]): Omit<Deployment, 'version'> {
  let { history } = before
  let deployment = before
  for (const { event, told } of events) {
    history = withEvent(history, event)
    deployment = withPullRequests(withMetadata(withNames(deployment, told, event.at), told, event.at), told)
  }
  return { ...deployment, history: history as DeploymentHistory }
}

const names = ['applicationName', 'applicationKind', 'versionName'] as const

function withNames(before: Announced, told: ToldEvent, at: number): Announced {
  let after = before
  for (const name of names) {
    const value = told[name]
    if (value === undefined || !isLater(after, name, value, at)) continue
    after = { ...after, [name]: value, namesAt: { ...after.namesAt, [name]: at } }
  }
  return after
}

/** Of what was told by two events of one moment the greater stays: it does not matter which comes in first. */
function isLater(before: Announced, name: NamedMember, value: string, at: number): boolean {
  const known = before.namesAt?.[name]
  return known === undefined || at > known || (at === known && value > (before[name] ?? ''))
}

function withMetadata(before: Announced, { deploymentMetadata: metadata }: ToldEvent, at: number): Announced {
  if (metadata === undefined || at < before.metadataAt) return before
  const tied = at === before.metadataAt && canonicalJson(metadata) < canonicalJson(before.metadata)
  return tied ? before : { ...before, metadata, metadataAt: at }
}

/** Each change once, as it was told first. */
function withPullRequests(before: Announced, { pullRequests = [] }: ToldEvent): Announced {
  if (pullRequests.length === 0) return before
  const known = new Set(before.pullRequests.map((one) => one.externalId))
  const fresh = pullRequests.filter(({ externalId }) => !known.has(externalId) && known.add(externalId))
  if (fresh.length === 0) return before
  return { ...before, pullRequests: [...before.pullRequests, ...fresh].sort(byMerge) }
}

function byMerge(a: PullRequest, b: PullRequest): number {
  return a.mergedAt - b.mergedAt || (a.externalId < b.externalId ? -1 : 1)
}
