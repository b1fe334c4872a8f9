import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import { flagFollowers, followerIds } from '../../models/flag-followers/flag-followers.ts'
import { readMembers } from '../../models/members/read-members.ts'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, page } from '../../operation/schema.ts'
import { followersOfFlagResponse, serializeFollowers } from './follower-response.ts'

export const getFollowersByProjEnv = operation({
  id: 'getFollowersByProjEnv',
  summary: 'List the flags that members follow in an environment, by key, each with its followers',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/followers',
  query: v.object(page()),
  success: { status: 200, body: collection(followersOfFlagResponse) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle({ tx, fail, url }, { params, query }) {
    if (!(await tx.get(environments, params))) fail('not_found')
    const where = [{ op: 'equals', field: 'isFollowed', value: true }] as const
    const { items, keys, total } = await tx.list(flagFollowers, params, { where, ...query })
    const idsByFlag = items.map(followerIds)
    const membersById = await readMembers(tx, idsByFlag.flat())
    return {
      items: idsByFlag.map((ids, index) => ({
        flagKey: keys[index] as string,
        followers: serializeFollowers(ids, membersById),
      })),
      totalCount: total,
      _links: pageLinks(url, query, total),
    }
  },
})
