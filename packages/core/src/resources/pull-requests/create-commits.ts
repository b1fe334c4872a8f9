import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { projects } from '../projects/project.ts'
import { commitsRequest, fedWire } from './change-wire.ts'
import { tellChanges } from './tell-changes.ts'

export const createCommits = operation({
  id: 'createCommits',
  summary: 'Tell of commits, of pull requests or by themselves',
  method: 'POST',
  path: '/api/v2/engineering-insights/commits',
  beta: 'tagged',
  body: jsonBody(commitsRequest),
  // Ten thousand commits are more than a mebibyte.
  bodyLimit: 8 * 1024 * 1024,
  attempts: 5,
  success: { status: 201, body: fedWire },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: { action: 'createCommit', resource: 'proj/{body.projectKey}:commit/*' },
  async handle(context, { body }) {
    const { tx } = context
    const project = (await tx.get(projects, body)) ?? context.fail('not_found')
    tx.expect(projects, body, project)
    const { commitIds } = await tellChanges(tx, body.projectKey, {
      pullRequests: [],
      commits: body.commits.map(({ externalId, pullRequestId, author, authoredAt, committedAt = authoredAt }) => [
        externalId,
        {
          ...(pullRequestId === undefined ? {} : { pullRequestId }),
          content: { ...(author === undefined ? {} : { author }), authoredAt, committedAt },
        },
      ]),
    })
    const accepted = body.commits.length
    return { accepted, added: commitIds.size, known: accepted - commitIds.size }
  },
})
