import type { Token } from '../../models/tokens/token.ts'
import { credentials, tokens, tokenUses } from '../../models/tokens/token.ts'
import { operation } from '../../operation/operation.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import type { Writer } from '../../storage/writer.ts'
import { removeRetired } from './remove-retired.ts'
import { requireToken } from './require-token.ts'

export const deleteToken = operation({
  id: 'deleteToken',
  undo: [
    undoOf(tokens, {
      async remove(context, keys, token) {
        await context.demand('deleteAccessToken', tokens, keys, token)
        await removeToken(context.tx, token)
      },
    }),
  ],
  summary: 'Delete an access token; all its values stop working immediately',
  method: 'DELETE',
  path: '/api/v2/tokens/{id}',
  success: { status: 204 },
  errors: ['forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    open: true,
    why: 'the resource of a token depends on its owner; the handler checks the right',
    demands: ['deleteAccessToken'],
  },
  async handle(context, { params }) {
    const { tx } = context
    const token = await requireToken(context, params, ['deleteAccessToken'])
    context.requireRevision(token.version)
    await removeToken(tx, token)
  },
})

async function removeToken(tx: Writer, token: Token): Promise<void> {
  const keys = { id: token.id }
  const credential = await tx.get(credentials, { hash: token.hash })
  const use = await tx.get(tokenUses, keys)
  await removeRetired(tx, token)
  tx.remove(tokens, keys, token)
  if (credential) tx.remove(credentials, { hash: token.hash }, credential)
  if (use) tx.remove(tokenUses, keys, use)
}
