import { type OAuthAccount, type RegisteredClient, register, serveAccount } from './oauth-account.ts'
import { authorizationOf, authorizationUrl, openPage, sendForm } from './person.ts'

/** The response to a code or a refresh token that is not valid. */
export const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }

/** Serves an account, in which bob has a role, with a registered client. */
export async function serveClient(role?: 'reader' | 'writer' | 'admin') {
  const account = await serveAccount(role ? { role } : {})
  return { account, client: await register(account) }
}

/** Opens the consent page of a client and sends its form with changes, as the page would. */
export async function consentWith(
  account: OAuthAccount,
  client: RegisteredClient,
  fields: Record<string, string>,
  headers?: Record<string, string>,
) {
  const page = await openPage(authorizationUrl(account, authorizationOf(client)))
  return sendForm(account, page, { ...page.fields, decision: 'allow', ...fields }, headers)
}

/** Returns the parameters that the client receives by a redirect. */
export const received = (location: string | undefined) => Object.fromEntries(new URL(location as string).searchParams)
