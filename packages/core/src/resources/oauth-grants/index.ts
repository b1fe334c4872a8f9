import { oauthGrants as oauthGrantDocuments, oauthTokens } from '../../models/oauth-grants/oauth-grant.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const oauthGrants = resource({
  title: 'OAuth grants',
  description: 'Permissions of members for OAuth clients to act on their behalf.',
  collections: [oauthGrantDocuments, oauthTokens],
  operations: Object.values(operations),
  parameters: {
    clientId: 'Id of the OAuth client.',
    grantId: 'Id of the OAuth grant.',
  },
})
