export { createCommits } from './create-commits.ts'
export { createPullRequests } from './create-pull-requests.ts'
export { listPullRequests } from './list-pull-requests.ts'
