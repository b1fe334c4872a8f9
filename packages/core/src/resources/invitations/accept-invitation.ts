import * as v from 'valibot'
import { accounts } from '../../models/account/account.ts'
import { isOpenedBy } from '../../models/members/invite.ts'
import { members } from '../../models/members/member.ts'
import { jsonBody } from '../../operation/body.ts'
import { anonymousOperation, operation } from '../../operation/operation.ts'
import { issueToken, newTokenValue } from '../tokens/issue-token.ts'
import { serializeToken, tokenResponse } from '../tokens/token-response.ts'

const acceptance = operation({
  id: 'acceptInvitation',
  summary: 'Accept an invitation; only this response contains the value of the first personal token of the member',
  method: 'POST',
  path: '/api/v2/members/{id}/invitation/accept',
  body: jsonBody(v.strictObject({ code: v.pipe(v.string(), v.maxLength(256, 'must have at most 256 characters')) })),
  success: { status: 201, body: tokenResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: { anonymous: true, why: 'the code of the invitation authenticates the member' },
  async handle(context, { params, body }) {
    const { tx } = context
    const host = context.useHost()
    const now = context.readClock()
    const keys = { memberId: params.id }
    const before = (await tx.get(members, keys)) ?? context.fail('not_found')
    if (!(await isOpenedBy(host, before, body.code, now))) {
      const reason = 'must be the code of an invitation that has not expired, was not used and was not replaced'
      context.fail('invalid_request', { errors: [{ attribute: 'code', reason }] })
    }
    const { invitation: _, invitationHash: __, ...member } = before
    tx.follow(members, keys, before, member)
    tx.describe(members, keys, [({ it }) => `accepted the invitation of ${it}:`])
    const account = await tx.get(accounts, {})
    const value = newTokenValue(host)
    const token = await issueToken(tx, host, {
      now,
      value,
      request: {
        name: 'First token',
        description: 'Created when the invitation was accepted',
        ownerId: account?.ownerId ?? '',
        memberId: member.id,
        serviceToken: false,
        // The rights of the member limit the rights of their personal token.
        grant: { role: 'admin' },
        ceiling: [],
        defaultApiVersion: 20240415,
      },
    })
    context.setAuthor({ memberId: member.id, tokenId: token.id })
    return serializeToken(context, token, value)
  },
})

export const acceptInvitation = anonymousOperation(acceptance)
