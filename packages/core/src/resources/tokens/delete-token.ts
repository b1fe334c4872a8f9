import { credentials, tokens, tokenUses } from '../../models/tokens/token.ts'
import { operation } from '../../operation/operation.ts'
import { removeRetired } from './remove-retired.ts'
import { requireToken } from './require-token.ts'

export const deleteToken = operation({
  id: 'deleteToken',
  summary: 'Delete an access token; all its values stop working at once',
  method: 'DELETE',
  path: '/api/v2/tokens/{id}',
  success: { status: 204 },
  errors: ['forbidden', 'not_found', 'optimistic_locking_error'],
  access: { open: true, why: 'the resource of a token depends on its owner; the handler checks the right' },
  async handle(context, { params }) {
    const { tx } = context
    const token = await requireToken(context, params, ['deleteAccessToken'])
    context.requireRevision(token.version)
    const credential = await tx.get(credentials, { hash: token.hash })
    const use = await tx.get(tokenUses, params)
    await removeRetired(tx, token)
    tx.remove(tokens, params, token)
    if (credential) tx.remove(credentials, { hash: token.hash }, credential)
    if (use) tx.remove(tokenUses, params, use)
  },
})
