import * as v from 'valibot'
import { accounts } from '../../models/account/account.ts'
import { tokens } from '../../models/tokens/token.ts'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { policyRequest } from '../roles/policy-schema.ts'
import { limitsOf, ownLimits } from './ceiling.ts'
import { issueToken, newTokenValue } from './issue-token.ts'
import { requireRoles } from './require-roles.ts'
import { grantOf, requireOneKindOfRole, serializeToken, tokenResponse, tokenSettings } from './token-response.ts'

const settings = tokenSettings.entries

export const createToken = operation({
  id: 'createToken',
  summary: 'Create an access token; only this response contains its value',
  method: 'POST',
  path: '/api/v2/tokens',
  body: jsonBody(
    v.strictObject({
      ...settings,
      inlineRole: v.optional(policyRequest),
      name: v.optional(settings.name, ''),
      description: v.optional(settings.description, ''),
      serviceToken: v.optional(v.boolean(), false),
      defaultApiVersion: v.optional(settings.defaultApiVersion, 20240415),
    }),
  ),
  success: { status: 201, body: tokenResponse },
  errors: ['invalid_request', 'forbidden', 'optimistic_locking_error'],
  access: {
    open: true,
    why: 'the resource of a new token depends on its owner; the handler checks the right',
    demands: ['createAccessToken'],
  },
  async handle(context, { body }) {
    const { tx, caller } = context
    const host = context.useHost()
    const now = context.readClock()
    const { inlineRole, customRoleIds, role, ...properties } = body
    requireOneKindOfRole(body)
    const account = await tx.get(accounts, {})
    const ownerId = account?.ownerId ?? ''
    const memberId = caller.memberId ?? ownerId
    // Cast: policies depend only on properties of a token that are known before it is created.
    await context.demand('createAccessToken', tokens, { id: '*' }, { id: '*', memberId, ...body } as never)
    await requireRoles(context, 'customRoleIds', customRoleIds)
    const value = newTokenValue(host)
    const token = await issueToken(tx, host, {
      now,
      value,
      request: {
        ...properties,
        ownerId,
        memberId,
        grant: grantOf({ inlineRole, customRoleIds, role }),
        // The rights of a personal token follow its member. A service token has no member, so it keeps the current rights
        // of the member as a limit.
        ceiling: body.serviceToken ? limitsOf(caller) : ownLimits(caller),
      },
    })
    return serializeToken(context, token, value)
  },
})
