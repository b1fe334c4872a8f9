import { flagFollowers } from '../../models/flag-followers/flag-followers.ts'
import { members } from '../../models/members/member.ts'
import { operation } from '../../operation/operation.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import {
  changeableFollowers,
  maxFollowers,
  requireFollowerRight,
  saveFollowers,
  undoFollowers,
} from './followed-flag.ts'

export const putFlagFollower = operation({
  id: 'putFlagFollower',
  summary:
    'Add a member to the followers of a flag in an environment; a caller who adds another member needs `manageFlagFollowers`',
  method: 'PUT',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/followers/{memberId}',
  success: { status: 204 },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  undo: [undoOf(flagFollowers, undoFollowers)],
  async handle(context, { params }) {
    const { tx, fail } = context
    const { memberId, ...keys } = params
    await requireFollowerRight(context, keys, memberId)
    const [before, member] = await Promise.all([changeableFollowers(context, keys), tx.get(members, { memberId })])
    if (!member) return fail('not_found')
    if (Object.hasOwn(before.since, memberId)) return
    if (Object.keys(before.since).length >= maxFollowers) {
      fail('invalid_request', { message: `A flag has at most ${maxFollowers} followers in an environment` })
    }
    const since = { ...before.since, [memberId]: context.readClock() }
    saveFollowers(context, { keys, before, after: { ...before, since } })
  },
})
