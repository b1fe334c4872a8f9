import { resource } from '../../operation/resource.ts'
import { createOAuthClient } from './create-oauth-client.ts'
import { deleteOAuthClient } from './delete-oauth-client.ts'
import { getOAuthClient } from './get-oauth-client.ts'
import { listOAuthClients } from './list-oauth-clients.ts'
import { oauthClients as oauthClientDocuments } from './oauth-client.ts'
import { patchOAuthClient } from './patch-oauth-client.ts'

export const oauthClients = resource({
  title: 'OAuth clients',
  description: 'Applications to which members can grant access.',
  kinds: [
    {
      shape: 'oauth-client',
      accountLevel: true,
      actions: ['viewOAuthClient', 'createOAuthClient', 'updateOAuthClient', 'deleteOAuthClient'],
    },
  ],
  collections: [oauthClientDocuments],
  operations: [listOAuthClients, createOAuthClient, getOAuthClient, patchOAuthClient, deleteOAuthClient],
  parameters: {
    clientId: 'Id of the OAuth client.',
  },
})
