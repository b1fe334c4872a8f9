import type { Deployment, NameProperty, PullRequest } from '../../models/deployments/deployment.ts'
import {
  type DeploymentEvent,
  type DeploymentHistory,
  withEvents,
} from '../../models/deployments/deployment-history.ts'
import { canonicalJson } from '../../rules/canonical-json.ts'
import { withChanges, withStarts } from './brought-changes.ts'
import type { DeploymentEventInput } from './deployment-event-schema.ts'

/** A deployment without the version that the storage counts. */
export type DeploymentContent = Omit<Deployment, 'version'>

/** An event with its time, and the input that it came from. */
export interface TimedEvent extends DeploymentEvent {
  readonly input: DeploymentEventInput
}

// All deployments without metadata share this object, so that a storage recognizes the object and freezes it once.
const noMetadata = Object.freeze({})
const noPullRequests: readonly PullRequest[] = Object.freeze([])

/**
 * Returns a deployment after its first or further events. The result does not depend on the order of the events or
 * on their distribution over calls: names and metadata are those of the event with the latest time, pull requests are
 * in the order in which they were merged.
 *
 * @param before the stored deployment; undefined for the first events. Then `id` and `now` (ms, UTC) become the id and
 *   the creation time of the new deployment.
 * @param events at least one.
 */
export function advanceDeployment(
  before: Deployment | undefined,
  events: readonly TimedEvent[],
  { id, now }: { readonly id: string; readonly now: number },
): DeploymentContent {
  const history = withEvents(before?.history, events)
  let deployment: DeploymentContent = before
    ? { ...before, history }
    : newDeployment(id, events[0] as TimedEvent, history, now)
  // These properties are assigned, because properties after a spread cost as much as all other work for a deployment
  // (measured on V8).
  const startTimes = withStarts(deployment, events)
  if (startTimes !== deployment.startTimes) deployment = Object.assign({}, deployment, { startTimes })
  const changes = withChanges(deployment.brought, events)
  if (changes !== deployment.brought) deployment = Object.assign({}, deployment, { brought: changes })
  for (const { at, input } of events) {
    deployment = withPullRequests(withMetadata(withNames(deployment, input, at), input, at), input)
  }
  return deployment
}

/** Makes a deployment with only its identity and history. */
function newDeployment(id: string, { input }: TimedEvent, history: DeploymentHistory, now: number): DeploymentContent {
  return {
    id,
    applicationKey: input.applicationKey,
    applicationKind: 'server',
    applicationVersion: input.version,
    history,
    metadata: noMetadata,
    metadataAt: -1,
    pullRequests: noPullRequests,
    archived: false,
    createdAt: now,
  }
}

const names = ['applicationName', 'applicationKind', 'versionName'] as const

function withNames(before: DeploymentContent, input: DeploymentEventInput, time: number): DeploymentContent {
  let after = before
  for (const name of names) {
    const value = input[name]
    if (value === undefined || !isLater(after, name, value, time)) continue
    after = { ...after, [name]: value, namesAt: { ...after.namesAt, [name]: time } }
  }
  return after
}

/**
 * Returns true if a value replaces the stored one: it has a later time or, at the same time, is greater. So the order
 * in which events arrive does not matter.
 */
function isLater(before: DeploymentContent, name: NameProperty, value: string, time: number): boolean {
  const knownTime = before.namesAt?.[name]
  return knownTime === undefined || time > knownTime || (time === knownTime && value > (before[name] ?? ''))
}

function withMetadata(
  before: DeploymentContent,
  { deploymentMetadata: metadata }: DeploymentEventInput,
  time: number,
): DeploymentContent {
  if (metadata === undefined || time < before.metadataAt) return before
  const isTieLost = time === before.metadataAt && canonicalJson(metadata) < canonicalJson(before.metadata)
  return isTieLost ? before : { ...before, metadata, metadataAt: time }
}

/** Adds each pull request once, with the properties of the first event that contains it. */
function withPullRequests(before: DeploymentContent, { pullRequests = [] }: DeploymentEventInput): DeploymentContent {
  if (pullRequests.length === 0) return before
  const knownIds = new Set(before.pullRequests.map((pullRequest) => pullRequest.externalId))
  const added = pullRequests.filter(({ externalId }) => !knownIds.has(externalId) && knownIds.add(externalId))
  if (added.length === 0) return before
  return { ...before, pullRequests: [...before.pullRequests, ...added].sort(byMerge) }
}

function byMerge(a: PullRequest, b: PullRequest): number {
  return a.mergedAt - b.mergedAt || (a.externalId < b.externalId ? -1 : 1)
}
