import { createOAuthClient } from './create-oauth-client.ts'
import { deleteOAuthClient } from './delete-oauth-client.ts'
import { getOAuthClient } from './get-oauth-client.ts'
import { listOAuthClients } from './list-oauth-clients.ts'
import { patchOAuthClient } from './patch-oauth-client.ts'

export const oauthClientOperations = [
  listOAuthClients,
  createOAuthClient,
  getOAuthClient,
  patchOAuthClient,
  deleteOAuthClient,
] as const
