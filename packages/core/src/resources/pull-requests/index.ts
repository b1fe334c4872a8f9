import { createCommits } from './create-commits.ts'
import { createPullRequests } from './create-pull-requests.ts'
import { listPullRequests } from './list-pull-requests.ts'

export const pullRequestOperations = [createPullRequests, createCommits, listPullRequests] as const
