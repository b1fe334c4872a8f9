import { associatedRepositories } from '../../models/insight-repositories/project-repository.ts'
import { projects } from '../../models/projects/project.ts'
import { jsonBody } from '../../operation/body.ts'
import type { WriteContext } from '../../operation/context.ts'
import { ingestResponse, ingestResponseSchema } from '../../operation/ingest-response.ts'
import { operation } from '../../operation/operation.ts'
import { standOnProject } from '../projects/stand-on-project.ts'
import { commitContentOf, contentOf, type PullRequestRequest, pullRequestsRequest } from './change-wire.ts'
import type { ToldCommit } from './join-changes.ts'
import { tellChanges } from './tell-changes.ts'

export const createPullRequests = operation({
  id: 'createPullRequests',
  summary: 'Create or update pull requests and their commits; the report with the later time wins',
  method: 'POST',
  path: '/api/v2/engineering-insights/pull-requests',
  beta: 'tagged',
  body: jsonBody(pullRequestsRequest),
  // Enough for ten thousand pull requests with a few commits each.
  bodyLimit: 16 * 1024 * 1024,
  attempts: 5,
  success: { status: 201, body: ingestResponseSchema },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: { action: 'createPullRequest', resource: 'proj/{body.projectKey}:pull-request/*' },
  async handle(context, { body }) {
    const { tx } = context
    const { projectKey } = body
    const project = await standOnProject(context, body)
    const { pullRequestIds } = await tellChanges(tx, projectKey, {
      pullRequests: body.pullRequests.map((one) => [
        one.externalId,
        {
          content: contentOf(one),
          ...(one.firstCommitAt === undefined ? {} : { firstCommitAt: one.firstCommitAt }),
        },
      ]),
      commits: body.pullRequests.flatMap(commitsOf),
    })
    const added = await associable(
      context,
      projectKey,
      new Set(body.pullRequests.flatMap((one) => one.repositoryKey ?? [])),
    )
    for (const key of added) {
      // The right was checked before; this call makes the change log record it.
      await context.demand('associateRepository', associatedRepositories, { projectKey, repositoryKey: key })
      tx.ensure(associatedRepositories, { projectKey, repositoryKey: key }, { key, associatedAt: context.readClock() })
    }
    if (added.length > 0) tx.note(projects, body, project, { set: 'repositories', action: 'createPullRequest', added })
    const changed = new Set(body.pullRequests.map((one) => one.externalId).filter((id) => pullRequestIds.has(id))).size
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
  const known = await context.tx.getMany(associatedRepositories, keys)
  const may = await Promise.all(
    keys.map((one, i) => !known[i] && context.allowed('associateRepository', associatedRepositories, one)),
  )
  return keys.filter((_, i) => may[i]).map((one) => one.repositoryKey)
}

/** Returns the reports of the commits of a pull request. The merge commit is reported by its id only. */
function commitsOf(one: PullRequestRequest): (readonly [id: string, told: ToldCommit])[] {
  const pullRequestId = one.externalId
  const own = one.commits.map(
    (commit) => [commit.externalId, { pullRequestId, content: commitContentOf(commit) }] as const,
  )
  return one.mergeCommitId === undefined ? own : [...own, [one.mergeCommitId, { pullRequestId }]]
}
