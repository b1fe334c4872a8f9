import { deleteCard } from '../../operation/cards/delete-card.ts'
import { oauthClients } from './oauth-client.ts'

export const deleteOAuthClient = deleteCard(oauthClients, {
  id: 'deleteOAuthClient',
  summary: 'Delete an OAuth 2.0 client',
  path: '/api/v2/oauth/clients/{clientId}',
  access: { action: 'deleteOAuthClient', resource: 'oauth-client/{clientId}' },
})
