import * as v from 'valibot'
import { applicationKinds, type Deployment, type PullRequest } from '../../models/deployments/deployment.ts'
import { stateOf } from '../../models/deployments/deployment-history.ts'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path } from '../../operation/link.ts'
import { jsonObject, links, list, timestamp } from '../../operation/schema.ts'

export const deploymentStatuses = ['started', 'failed', 'finished'] as const
export const deploymentKinds = ['deployment', 'redeployment'] as const

/** Properties of a deployment that a caller may set by a patch. */
export const deploymentSettings = v.object({
  archived: v.boolean(),
  metadata: jsonObject(),
})

const pullRequestResponse = v.object({
  externalId: v.string(),
  title: v.optional(v.string()),
  url: v.optional(v.string()),
  author: v.optional(v.string()),
  createTime: v.optional(timestamp()),
  mergeTime: timestamp(),
  linesAdded: v.number(),
  linesDeleted: v.number(),
  /** Time from the first commit to the deployment, in ms. */
  leadTime: v.number(),
})

const deploymentObject = v.object({
  _links: links(),
  id: v.string(),
  applicationKey: v.string(),
  applicationName: v.optional(v.string()),
  applicationKind: v.picklist(applicationKinds),
  applicationVersion: v.string(),
  versionName: v.optional(v.string()),
  environmentKey: v.string(),
  status: v.picklist(deploymentStatuses),
  kind: v.picklist(deploymentKinds),
  startedAt: timestamp(),
  endedAt: v.optional(timestamp()),
  durationMs: v.optional(v.number()),
  active: v.boolean(),
  archived: v.boolean(),
  /** False when the version is marked as no longer supported; missing when it was never marked. */
  supported: v.optional(v.boolean()),
  metadata: v.record(v.string(), v.unknown()),
  numberOfContributors: v.number(),
  numberOfPullRequests: v.number(),
  linesAdded: v.number(),
  linesDeleted: v.number(),
  leadTime: v.number(),
  pullRequests: v.optional(v.object({ items: list(pullRequestResponse), totalCount: v.number() })),
})

/** A deployment in a response. */
export interface DeploymentResponse extends v.InferOutput<typeof deploymentObject> {}

export const deploymentResponse: v.GenericSchema<DeploymentResponse> = deploymentObject

export interface DeploymentResponseOptions {
  readonly environmentKey: string
  /** True when this version currently runs in the environment. */
  readonly active: boolean
  readonly expand: readonly 'pullRequests'[]
}

export function serializeDeployment(
  context: Pick<ReadContext, 'format'>,
  deployment: Deployment,
  { environmentKey, active, expand }: DeploymentResponseOptions,
): DeploymentResponse {
  const { history, startTimes, brought, pullRequests, metadataAt, namesAt, createdAt, version, ...properties } =
    deployment
  const { startedAt, endedAt, ...state } = stateOf(history)
  const { time } = context.format
  const deployedAt = endedAt ?? startedAt
  const items = pullRequests.map((pullRequest) => serializePullRequest(context, pullRequest, deployedAt))
  return {
    ...properties,
    _links: { self: linkTo(path`/api/v2/engineering-insights/deployments/${deployment.id}`) },
    environmentKey,
    ...state,
    startedAt: time(startedAt),
    ...(endedAt === undefined ? {} : { endedAt: time(endedAt) }),
    active,
    numberOfContributors: new Set(pullRequests.flatMap(({ author }) => author ?? [])).size,
    numberOfPullRequests: pullRequests.length,
    linesAdded: sum(pullRequests.map((pullRequest) => pullRequest.linesAdded)),
    linesDeleted: sum(pullRequests.map((pullRequest) => pullRequest.linesDeleted)),
    leadTime: Math.max(0, ...items.map((pullRequest) => pullRequest.leadTime)),
    ...(expand.includes('pullRequests') ? { pullRequests: { items, totalCount: items.length } } : {}),
  }
}

function serializePullRequest(
  { format }: Pick<ReadContext, 'format'>,
  { startedAt, openedAt, mergedAt, ...properties }: PullRequest,
  deployedAt: number,
): v.InferOutput<typeof pullRequestResponse> {
  return {
    ...properties,
    ...(openedAt === undefined ? {} : { createTime: format.time(openedAt) }),
    mergeTime: format.time(mergedAt),
    leadTime: Math.max(0, deployedAt - startedAt),
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0)
}
