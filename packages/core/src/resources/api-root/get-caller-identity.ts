import * as v from 'valibot'
import { tokens } from '../../models/tokens/token.ts'
import { operation } from '../../operation/operation.ts'

export const getCallerIdentity = operation({
  id: 'getCallerIdentity',
  summary: 'Get the account, the member and the token of the caller',
  method: 'GET',
  path: '/api/v2/caller-identity',
  success: {
    status: 200,
    body: v.object({
      accountId: v.string(),
      /** `token` for an access token, `host` for a caller that the host of the engine identifies in another way. */
      authKind: v.picklist(['token', 'host']),
      tokenName: v.optional(v.string()),
      tokenId: v.optional(v.string()),
      memberId: v.optional(v.string()),
      /** True for the token of a service, which has rights of its own. */
      serviceToken: v.boolean(),
    }),
  },
  errors: [],
  access: { open: true, why: 'a caller may know who they are' },
  async handle({ tx, caller, options }) {
    const { tokenId, memberId } = caller
    const token = tokenId === undefined ? undefined : await tx.get(tokens, { id: tokenId })
    return {
      accountId: options.account,
      authKind: tokenId === undefined ? ('host' as const) : ('token' as const),
      ...(token ? { tokenName: token.name } : {}),
      ...(tokenId === undefined ? {} : { tokenId }),
      ...(memberId === undefined ? {} : { memberId }),
      serviceToken: token?.serviceToken ?? false,
    }
  },
})
