import { jsonBody } from '../../operation/body.ts'
import { ingestResponse, ingestResponseSchema } from '../../operation/ingest-response.ts'
import { operation } from '../../operation/operation.ts'
import { requireUnchangedProject } from '../projects/require-unchanged-project.ts'
import { commitContentOf, commitsRequest } from './change-schema.ts'
import { reportChanges } from './report-changes.ts'

export const createCommits = operation({
  id: 'createCommits',
  summary: 'Create or update commits, with or without a pull request',
  method: 'POST',
  path: '/api/v2/engineering-insights/commits',
  beta: 'tagged',
  body: jsonBody(commitsRequest),
  // Ten thousand commits have a size of more than a mebibyte.
  bodyLimit: 8 * 1024 * 1024,
  success: { status: 201, body: ingestResponseSchema },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: { action: 'createCommit', resource: 'proj/{body.projectKey}:commit/*' },
  async handle(context, { body }) {
    await requireUnchangedProject(context, body)
    const { commitIds } = await reportChanges(context, body.projectKey, {
      pullRequests: [],
      commits: body.commits.map((commit) => [
        commit.externalId,
        {
          ...(commit.pullRequestId === undefined ? {} : { pullRequestId: commit.pullRequestId }),
          content: commitContentOf(commit),
        },
      ]),
    })
    return ingestResponse(body.commits.length, commitIds.size)
  },
})
