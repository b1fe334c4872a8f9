export { deleteFlagFollower } from './delete-flag-follower.ts'
export { getFlagFollowers } from './get-flag-followers.ts'
export { getFollowersByProjEnv } from './get-followers-by-proj-env.ts'
export { putFlagFollower } from './put-flag-follower.ts'
