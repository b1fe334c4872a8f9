import { associatedRepositories } from '../../models/insight-repositories/project-repository.ts'
import { projects } from '../../models/projects/project.ts'
import { jsonBody } from '../../operation/body.ts'
import type { WriteContext } from '../../operation/context.ts'
import { ingestResponse, ingestResponseSchema } from '../../operation/ingest-response.ts'
import { operation } from '../../operation/operation.ts'
import { requireUnchangedProject } from '../projects/require-unchanged-project.ts'
import { commitContentOf, contentOf, type PullRequestRequest, pullRequestsRequest } from './change-schema.ts'
import type { CommitReport } from './join-changes.ts'
import { reportChanges } from './report-changes.ts'

export const createPullRequests = operation({
  id: 'createPullRequests',
  summary:
    'Create or update pull requests and their commits; of several reports about a pull request, the latest applies',
  method: 'POST',
  path: '/api/v2/engineering-insights/pull-requests',
  beta: 'tagged',
  body: jsonBody(pullRequestsRequest),
  // This limit is enough for ten thousand pull requests with a few commits each.
  bodyLimit: 16 * 1024 * 1024,
  success: { status: 201, body: ingestResponseSchema },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: { action: 'createPullRequest', resource: 'proj/{body.projectKey}:pull-request/*' },
  async handle(context, { body }) {
    const { tx } = context
    const { projectKey } = body
    const project = await requireUnchangedProject(context, body)
    const { pullRequestIds } = await reportChanges(context, projectKey, {
      pullRequests: body.pullRequests.map((pullRequest) => [
        pullRequest.externalId,
        {
          content: contentOf(pullRequest),
          ...(pullRequest.firstCommitAt === undefined ? {} : { firstCommitAt: pullRequest.firstCommitAt }),
        },
      ]),
      commits: body.pullRequests.flatMap(commitsOf),
    })
    const added = await associable(
      context,
      projectKey,
      new Set(body.pullRequests.flatMap((pullRequest) => pullRequest.repositoryKey ?? [])),
    )
    for (const key of added) {
      // The right is already checked; this call makes the change log record the action.
      await context.demand('associateRepository', associatedRepositories, { projectKey, repositoryKey: key })
      tx.ensure(associatedRepositories, { projectKey, repositoryKey: key }, { key, associatedAt: context.readClock() })
    }
    if (added.length > 0) tx.note(projects, body, project, { set: 'repositories', action: 'createPullRequest', added })
    const changed = new Set(
      body.pullRequests.map((pullRequest) => pullRequest.externalId).filter((id) => pullRequestIds.has(id)),
    ).size
    return ingestResponse(body.pullRequests.length, changed)
  },
})

/** Returns the repositories that are not associated with the project yet and that the caller may associate. */
async function associable(
  context: Pick<WriteContext, 'tx' | 'allowed'>,
  projectKey: string,
  repositoryKeys: ReadonlySet<string>,
): Promise<readonly string[]> {
  const keys = [...repositoryKeys].map((repositoryKey) => ({ projectKey, repositoryKey }))
  const existing = await context.tx.getMany(associatedRepositories, keys)
  const allowed = await Promise.all(
    keys.map(
      (pullRequest, i) => !existing[i] && context.allowed('associateRepository', associatedRepositories, pullRequest),
    ),
  )
  return keys.filter((_, i) => allowed[i]).map((pullRequest) => pullRequest.repositoryKey)
}

/** Returns the reports of the commits of a pull request. The merge commit is reported by its id only. */
function commitsOf(pullRequest: PullRequestRequest): (readonly [id: string, report: CommitReport])[] {
  const pullRequestId = pullRequest.externalId
  const reports = pullRequest.commits.map(
    (commit) => [commit.externalId, { pullRequestId, content: commitContentOf(commit) }] as const,
  )
  return pullRequest.mergeCommitId === undefined
    ? reports
    : [...reports, [pullRequest.mergeCommitId, { pullRequestId }]]
}
