export { createOAuthGrant } from './create-oauth-grant.ts'
export { deleteOAuthGrant } from './delete-oauth-grant.ts'
export { getOAuthGrant } from './get-oauth-grant.ts'
export { listOAuthGrants } from './list-oauth-grants.ts'
