import { createHash } from 'node:crypto'
import type { OAuthAccount, RegisteredClient } from './oauth-account.ts'

/** A code verifier of a client, and its challenge (RFC 7636). */
export const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
export const challenge = createHash('sha256').update(verifier).digest('base64url')

/** The parameters of a valid authorization request. */
export function authorizationOf({ clientId, redirectUri }: RegisteredClient, changes: Record<string, string> = {}) {
  return {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'reader',
    state: 's1',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changes,
  }
}

/** The consent page as a browser received it. */
export interface ConsentPage {
  readonly status: number
  readonly html: string
  readonly headers: Headers
  /** Target of the redirect, if the server did not show a page. */
  readonly location: string | undefined
  /** The fields of its form. */
  readonly fields: Readonly<Record<string, string>>
  readonly cookie: string
}

/** Headers that a browser adds to a form of the page itself. */
export const fromPage = { 'sec-fetch-site': 'same-origin' }

/** Opens an authorization URL as the signed-in person, from a link of another site. */
export async function openPage(url: string | URL, person: string | undefined = 'bob@x.io'): Promise<ConsentPage> {
  const session = person === undefined ? '' : `person=${person}`
  const headers = { cookie: session, 'sec-fetch-site': 'cross-site' }
  const response = await fetch(url, { redirect: 'manual', headers })
  const html = await response.text()
  const inputs = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)]
  const fields = Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, unescapeHtml(value)]))
  const consent = response.headers.get('set-cookie')?.split(';')[0]
  const cookie = [session, consent].filter((pair) => pair).join('; ')
  return { status: response.status, html, headers: response.headers, location: locationOf(response), fields, cookie }
}

function unescapeHtml(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}

function locationOf({ headers }: Response): string | undefined {
  return headers.get('location') ?? undefined
}

/** Sends the form of a page. */
export async function sendForm(
  { issuer }: OAuthAccount,
  { cookie }: Pick<ConsentPage, 'cookie'>,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = fromPage,
): Promise<{ readonly status: number; readonly location: string | undefined; readonly html: string }> {
  const body = new URLSearchParams(fields)
  const url = `${issuer}/trust/oauth/authorize`
  const response = await fetch(url, { method: 'POST', redirect: 'manual', headers: { cookie, ...headers }, body })
  return { status: response.status, location: locationOf(response), html: await response.text() }
}

/** Opens an authorization URL and allows it. Returns the URL to which the browser is sent. */
export async function allow(account: OAuthAccount, url: string | URL): Promise<URL> {
  const page = await openPage(url)
  if (page.status !== 200) throw new Error(`the page has status ${page.status}: ${page.location ?? page.html}`)
  const { location, html } = await sendForm(account, page, { ...page.fields, decision: 'allow' })
  if (location === undefined) throw new Error(`no redirect: ${html}`)
  return new URL(location)
}

/** Returns the URL of an authorization request. */
export function authorizationUrl({ issuer }: OAuthAccount, parameters: Record<string, string>): string {
  return `${issuer}/trust/oauth/authorize?${new URLSearchParams(parameters)}`
}

/** Lets the person grant access to a client, and returns the code. */
export async function getCode(
  account: OAuthAccount,
  client: RegisteredClient,
  changes: Record<string, string> = {},
): Promise<string> {
  const url = await allow(account, authorizationUrl(account, authorizationOf(client, changes)))
  return url.searchParams.get('code') as string
}

/** The response of an endpoint for clients. */
export interface EndpointResponse {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests compare the JSON of responses
  readonly body: any
  /** Header `retry-after`, when there is one. */
  readonly retryAfter?: string
}

/** Sends a form to an endpoint as a client. */
export async function post(
  { issuer }: OAuthAccount,
  endpoint: 'token' | 'revoke' | 'introspect',
  { clientId, secret }: Pick<RegisteredClient, 'clientId' | 'secret'>,
  form: Record<string, string>,
): Promise<EndpointResponse> {
  const body = new URLSearchParams({ client_id: clientId, ...(secret ? { client_secret: secret } : {}), ...form })
  const response = await fetch(`${issuer}/trust/oauth/${endpoint}`, { method: 'POST', body })
  const retryAfter = response.headers.get('retry-after')
  return { status: response.status, body: await response.json(), ...(retryAfter ? { retryAfter } : {}) }
}

/** Exchanges a code as its client. */
export function exchange(
  account: OAuthAccount,
  client: RegisteredClient,
  code: string,
  changes: Record<string, string> = {},
): Promise<EndpointResponse> {
  const { redirectUri } = client
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...changes,
  }
  return post(account, 'token', client, form)
}

/** Refreshes the tokens of a client. */
export function refresh(
  account: OAuthAccount,
  client: RegisteredClient,
  refreshToken: string,
  changes: Record<string, string> = {},
): Promise<EndpointResponse> {
  return post(account, 'token', client, { grant_type: 'refresh_token', refresh_token: refreshToken, ...changes })
}

/** Lets the person grant access to a client, and returns its tokens. */
export async function getTokens(
  account: OAuthAccount,
  client: RegisteredClient,
  changes: Record<string, string> = {},
): Promise<{ readonly access: string; readonly refresh: string }> {
  const { body } = await exchange(account, client, await getCode(account, client, changes))
  return { access: body.access_token, refresh: body.refresh_token }
}

/** Calls the API with an access token. Returns the status. */
export async function callApi(
  { issuer }: OAuthAccount,
  token: string,
  method = 'GET',
  path = '/projects',
  body?: object,
): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const init = { method, headers, body: body === undefined ? null : JSON.stringify(body) }
  return (await fetch(`${issuer}/api/v2${path}`, init)).status
}
