import { credentials, tokens as tokenDocuments, tokenUses } from '../../models/tokens/token.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

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
    // Members view their own tokens by the right of every member to their own tokens, not by a base role.
    { shape: 'member:token', accountLevel: true, secretActions: ['viewToken'], actions },
    { shape: 'service-token', accountLevel: true, actions },
  ],
  collections: [credentials, tokenDocuments, tokenUses],
  operations: Object.values(operations),
})
