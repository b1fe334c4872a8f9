import { credentials, tokens as tokenDocuments, tokenUses } from '../../models/tokens/token.ts'
import { resource } from '../../operation/resource.ts'
import { createToken } from './create-token.ts'
import { deleteToken } from './delete-token.ts'
import { getToken } from './get-token.ts'
import { listTokens } from './list-tokens.ts'
import { patchToken } from './patch-token.ts'
import { resetToken } from './reset-token.ts'

const actions = [
  'viewToken',
  'createAccessToken',
  'updateAccessTokenName',
  'updateAccessTokenDescription',
  'updateAccessTokenPolicy',
  'deleteAccessToken',
  'resetAccessToken',
]

export const tokens = resource({
  title: 'Access tokens',
  description: 'Secrets that authenticate callers.',
  kinds: [
    { shape: 'member:token', accountLevel: true, actions },
    { shape: 'service-token', accountLevel: true, actions },
  ],
  collections: [credentials, tokenDocuments, tokenUses],
  operations: [listTokens, createToken, getToken, patchToken, deleteToken, resetToken],
})
