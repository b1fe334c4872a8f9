import { withoutFollower } from '../../models/flag-followers/flag-followers.ts'
import { members } from '../../models/members/member.ts'
import { operation } from '../../operation/operation.ts'
import { changeableFollowers, requireFollowerRight, saveFollowers } from './followed-flag.ts'

export const deleteFlagFollower = operation({
  id: 'deleteFlagFollower',
  summary:
    'Remove a member from the followers of a flag; a caller who removes another member needs `manageFlagFollowers`',
  method: 'DELETE',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/followers/{memberId}',
  success: { status: 204 },
  errors: ['forbidden', 'not_found', 'optimistic_locking_error'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params }) {
    const { tx, fail } = context
    const { memberId, ...keys } = params
    await requireFollowerRight(context, keys, memberId)
    const [before, member] = await Promise.all([changeableFollowers(context, keys), tx.get(members, { memberId })])
    if (!member) return fail('not_found')
    saveFollowers(context, { keys, before, after: withoutFollower(before, memberId) })
  },
})
