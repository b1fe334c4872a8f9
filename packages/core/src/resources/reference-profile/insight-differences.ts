import type { ReshapeBody } from '../../operation/response-profile.ts'
import { deploymentIds } from '../deployments/deployment-id.ts'
import { readProjects } from './referenced-documents.ts'
import { at, collectionOfList, inOrder, onObject, type Reshape, valuesAt, withDefaults } from './reshape.ts'

interface PullRequestTimes {
  readonly createTime?: number
  readonly firstCommitTime?: number
  readonly mergeTime?: number
  readonly leadTime?: unknown
}

/** Divides the time from the first commit to the deployment, in ms, into those stages that are known. */
function leadTime({ createTime, firstCommitTime, mergeTime, leadTime: total }: PullRequestTimes) {
  return {
    codingDurationMs: Math.max(0, (createTime ?? 0) - (firstCommitTime ?? createTime ?? 0)),
    ...(mergeTime === undefined || createTime === undefined
      ? {}
      : { reviewDurationMs: Math.max(0, mergeTime - createTime) }),
    ...(typeof total === 'number' ? { avgTotalLeadTimeMs: total, maxTotalLeadTimeMs: total } : {}),
  }
}

/** The engine does not store the commits between which a pull request changes a branch. */
const pullRequest = onObject(({ leadTime: total, ...rest }) => ({
  id: rest.externalId,
  title: '',
  status: 'deployed',
  author: '',
  createTime: rest.mergeTime,
  baseCommitKey: '',
  headCommitKey: '',
  filesChanged: 0,
  url: '',
  ...rest,
  ...(total === undefined ? {} : { leadTime: leadTime({ ...rest, leadTime: total }) }),
}))

/** Changes a deployment in a response of this API into the type that the public clients declare. */
export const deployment: Reshape = at('pullRequests.items.*', pullRequest)

/**
 * A deployment in the response for a pull request. It lacks totals, which only the response for the deployment
 * contains.
 */
const arrival = withDefaults(({ deployTime }) => ({
  startedAt: deployTime,
  endedAt: deployTime,
  status: 'finished',
  kind: 'deployment',
  active: false,
  archived: false,
  numberOfContributors: 0,
  numberOfPullRequests: 0,
  linesAdded: 0,
  linesDeleted: 0,
}))

export const pullRequestsWithDeployments: ReshapeBody = async (body, { query }) => {
  const { projectKey } = query as { readonly projectKey: string }
  const path = 'items.*.deployments.*'
  const environmentKeys = [...new Set(valuesAt(`${path}.environmentKey`, body).map(String))]
  const idOf = new Map(
    await Promise.all(
      environmentKeys.map(async (key) => [key, await deploymentIds({ projectKey, environmentKey: key })] as const),
    ),
  )
  const withId = withDefaults(({ environmentKey, applicationKey, applicationVersion }) => ({
    id: idOf.get(String(environmentKey))?.({
      applicationKey: String(applicationKey),
      version: String(applicationVersion),
    }),
  }))
  return inOrder(
    at(path, inOrder(withId, arrival)),
    at('items.*', inOrder(at('deployments', collectionOfList), pullRequest)),
  )(body)
}

export const flagEvents: ReshapeBody = async (body, call) => {
  const { projectKey, environmentKey } = call.query as { readonly projectKey: string; readonly environmentKey: string }
  const projectOf = await readProjects(call, [projectKey])
  const event = onObject(({ impactSize, impactPercentage, impactReason, ...rest }) => ({
    projectId: projectOf(projectKey)?.id ?? projectKey,
    projectKey,
    environmentKey,
    description: rest.eventType,
    impact: { size: impactSize, percentage: impactPercentage, reason: impactReason },
    ...rest,
  }))
  const numbered = withDefaults(({ items }) => ({ totalCount: (items as readonly unknown[]).length }))
  return inOrder(at('items.*', event), numbered)(body)
}
