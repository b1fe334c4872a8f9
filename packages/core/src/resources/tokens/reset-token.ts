import * as v from 'valibot'
import { credentials, tokens } from '../../models/tokens/token.ts'
import { operation } from '../../operation/operation.ts'
import { moment } from '../../operation/schema.ts'
import { lowerCeiling } from './ceiling.ts'
import { newTokenValue } from './issue-token.ts'
import { removeRetired } from './remove-retired.ts'
import { requireToken } from './require-token.ts'
import { serializeToken, tokenResponse } from './token-response.ts'

export const resetToken = operation({
  id: 'resetToken',
  summary:
    'Reset the value of an access token; only this response contains the new value, and the old value works until `expiry` or, by default, stops working immediately',
  method: 'POST',
  path: '/api/v2/tokens/{id}/reset',
  query: v.object({ expiry: v.optional(moment()) }),
  success: { status: 200, body: tokenResponse },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    open: true,
    why: 'the resource of a token depends on its owner; the handler checks the right',
    demands: ['resetAccessToken'],
  },
  async handle(context, { params, query }) {
    const { tx } = context
    const host = context.useHost()
    const now = context.readClock()
    const before = await requireToken(context, params, ['resetAccessToken'], ['viewToken'])
    const oldCredential = (await tx.get(credentials, { hash: before.hash })) ?? context.fail('not_found')
    const value = newTokenValue(host)
    const hash = await host.sha256(value)
    await removeRetired(tx, before)
    const keepsOldValue = query.expiry !== undefined && query.expiry > now
    if (keepsOldValue) {
      tx.follow(credentials, { hash: before.hash }, oldCredential, { ...oldCredential, expiresAt: query.expiry })
    } else tx.remove(credentials, { hash: before.hash }, oldCredential)
    tx.insert(credentials, { hash }, { tokenId: before.id, expiresAt: undefined })
    const ceiling = context.caller.tokenId === before.id ? before.ceiling : lowerCeiling(before, context.caller)
    const retiredHash = keepsOldValue ? before.hash : undefined
    const after = { ...before, hash, retiredHash, ceiling, lastFour: value.slice(-4), lastModified: now }
    return serializeToken(context, tx.replace(tokens, params, before, after), value)
  },
})
