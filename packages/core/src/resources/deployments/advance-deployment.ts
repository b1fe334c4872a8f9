import type { Deployment, NamedMember, PullRequest } from '../../models/deployments/deployment.ts'
import {
  type DeploymentEvent,
  type DeploymentHistory,
  withEvents,
} from '../../models/deployments/deployment-history.ts'
import { canonicalJson } from '../../rules/canonical-json.ts'
import { withBrought, withStarts } from './brought-changes.ts'
import type { ToldEvent } from './deployment-event-wire.ts'

/** A deployment without the version that the storage counts. */
export type Told = Omit<Deployment, 'version'>

/** An event with its time, and the input that it came from. */
export interface TimedEvent extends DeploymentEvent {
  readonly told: ToldEvent
}

// Shared by all deployments that have none, so that a storage recognizes the objects and freezes them once.
const noMetadata = Object.freeze({})
const noPullRequests: readonly PullRequest[] = Object.freeze([])

/**
 * Returns a deployment after events, the first ones or more. The result does not depend on the order of the events or
 * on their distribution over calls: names and metadata are those of the event with the latest time, pull requests are
 * in the order in which they were merged.
 *
 * @param before undefined for the first events; `id` and `now` (ms, UTC) are then those of the new deployment.
 * @param events at least one.
 */
export function advanced(
  before: Deployment | undefined,
  events: readonly TimedEvent[],
  { id, now }: { readonly id: string; readonly now: number },
): Told {
  const history = withEvents(before?.history, events)
  let deployment: Told = before ? { ...before, history } : announced(id, events[0] as TimedEvent, history, now)
  // Assigned, because properties after a spread cost as much as all other work for a deployment (measured on V8).
  const startTimes = withStarts(deployment, events)
  if (startTimes !== deployment.startTimes) deployment = Object.assign({}, deployment, { startTimes })
  const brought = withBrought(deployment.brought, events)
  if (brought !== deployment.brought) deployment = Object.assign({}, deployment, { brought })
  for (const { at, told } of events) {
    deployment = withPullRequests(withMetadata(withNames(deployment, told, at), told, at), told)
  }
  return deployment
}

/** Makes a deployment with only its identity and history. */
function announced(id: string, { told }: TimedEvent, history: DeploymentHistory, now: number): Told {
  return {
    id,
    applicationKey: told.applicationKey,
    applicationKind: 'server',
    applicationVersion: told.version,
    history,
    metadata: noMetadata,
    metadataAt: -1,
    pullRequests: noPullRequests,
    archived: false,
    createdAt: now,
  }
}

const names = ['applicationName', 'applicationKind', 'versionName'] as const

function withNames(before: Told, told: ToldEvent, at: number): Told {
  let after = before
  for (const name of names) {
    const value = told[name]
    if (value === undefined || !isLater(after, name, value, at)) continue
    after = { ...after, [name]: value, namesAt: { ...after.namesAt, [name]: at } }
  }
  return after
}

/** Of the values of two events with the same time the greater wins, so that their order of arrival does not matter. */
function isLater(before: Told, name: NamedMember, value: string, at: number): boolean {
  const known = before.namesAt?.[name]
  return known === undefined || at > known || (at === known && value > (before[name] ?? ''))
}

function withMetadata(before: Told, { deploymentMetadata: metadata }: ToldEvent, at: number): Told {
  if (metadata === undefined || at < before.metadataAt) return before
  const tied = at === before.metadataAt && canonicalJson(metadata) < canonicalJson(before.metadata)
  return tied ? before : { ...before, metadata, metadataAt: at }
}

/** Adds each pull request once, with the properties of the first event that contains it. */
function withPullRequests(before: Told, { pullRequests = [] }: ToldEvent): Told {
  if (pullRequests.length === 0) return before
  const known = new Set(before.pullRequests.map((one) => one.externalId))
  const fresh = pullRequests.filter(({ externalId }) => !known.has(externalId) && known.add(externalId))
  if (fresh.length === 0) return before
  return { ...before, pullRequests: [...before.pullRequests, ...fresh].sort(byMerge) }
}

function byMerge(a: PullRequest, b: PullRequest): number {
  return a.mergedAt - b.mergedAt || (a.externalId < b.externalId ? -1 : 1)
}
