import { oauthClients as oauthClientDocuments } from '../../models/oauth-clients/oauth-client.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

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
  operations: Object.values(operations),
  parameters: {
    clientId: 'Id of the OAuth client.',
  },
})
