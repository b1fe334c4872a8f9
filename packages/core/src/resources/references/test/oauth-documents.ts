import type { As } from '../../../index.ts'
import type { ReferenceAccount } from './reference-account.ts'

const redirectUri = 'https://app.example.com/callback'
const codeChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

/** Registers an OAuth client. Returns its id. */
export async function newOAuthClient(
  { call }: ReferenceAccount,
  scopes: readonly string[] = [],
  caller?: As,
): Promise<string> {
  const body = { name: 'App', redirectUri, scopes }
  return (await call<{ _clientId: string }>('createOAuthClient', { body }, caller))._clientId
}

/** Grants access to an OAuth client. Returns the id of the grant. */
export async function newOAuthGrant(
  { call }: ReferenceAccount,
  clientId: string,
  scopes: readonly string[] = ['reader'],
  caller?: As,
): Promise<string> {
  return (await call('createOAuthGrant', { clientId, body: { redirectUri, scopes, codeChallenge } }, caller))._id
}
