import { commits, pullRequests as pullRequestDocuments } from '../../models/pull-requests/pull-request.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const pullRequests = resource({
  title: 'Pull requests',
  description: 'Pull requests and commits, from which lead times are computed.',
  kinds: [
    { shape: 'proj:commit', actions: ['createCommit'] },
    { shape: 'proj:pull-request', actions: ['createPullRequest'] },
  ],
  collections: [commits, pullRequestDocuments],
  operations: Object.values(operations),
})
