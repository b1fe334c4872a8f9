import * as v from 'valibot'
import { type Member, members } from '../../../models/members/member.ts'
import { teams } from '../../../models/teams/team.ts'
import { jsonBody } from '../../../operation/body.ts'
import { operation } from '../../../operation/operation.ts'
import { undoOf } from '../../../operation/undo/undo-rules.ts'
import { distinctKeys, memberResponse, serializeMember } from '../../members/member-schema.ts'
import { undoTeams } from '../undo-teams.ts'
import { addToTeams } from './add-to-teams.ts'

export const postMemberTeams = operation({
  id: 'postMemberTeams',
  undo: [undoOf(teams, undoTeams)],
  summary: 'Add a member to teams, to all of them or none',
  method: 'POST',
  path: '/api/v2/members/{id}/teams',
  body: jsonBody(v.strictObject({ teamKeys: v.pipe(distinctKeys(), v.minLength(1, 'must contain at least 1 team')) })),
  success: { status: 201, body: memberResponse },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'updateTeamMembers',
    resource: 'team/*',
    shows: { action: 'viewMember', resource: 'member/{id}' },
  },
  async handle(context, { params, body }) {
    const member = (await context.tx.get(members, { memberId: params.id })) ?? context.fail('not_found')
    const joined = await addToTeams(context, [{ teamKeys: body.teamKeys, joining: [member], attribute: 'teamKeys' }])
    return serializeMember(context, joined[0] as Member)
  },
})
