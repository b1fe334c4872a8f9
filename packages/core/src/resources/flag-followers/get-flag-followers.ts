import { followerIds } from '../../models/flag-followers/flag-followers.ts'
import { readMembers } from '../../models/members/read-members.ts'
import { linkTo } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { readFollowedFlag } from './followed-flag.ts'
import { followersResponse, serializeFollowers } from './follower-response.ts'

export const getFlagFollowers = operation({
  id: 'getFlagFollowers',
  summary: 'List the members who follow a flag in an environment, in the order in which they began to follow it',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/followers',
  success: { status: 200, body: followersResponse },
  errors: ['not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params }) {
    const { followers } = await readFollowedFlag(context, params)
    const ids = followerIds(followers)
    const items = serializeFollowers(ids, await readMembers(context.tx, ids))
    return { _links: { self: linkTo(context.url) }, items }
  },
})
