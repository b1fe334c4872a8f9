import type { OAuthClient } from '../../models/oauth-clients/oauth-client.ts'
import type { OAuthAccessToken, OAuthTokens } from '../../models/oauth-grants/oauth-grant.ts'
import { accessText, parseCode, parseRefreshToken, refreshText } from '../../models/oauth-grants/token-text.ts'
import { isCodeVerifier } from './code-challenge.ts'
import { insertTokens, type OAuthParts, readGrant, readTokens, replaceTokens } from './oauth-parts.ts'
import { type OAuthIssuedTokens, type OAuthRefusal, type OAuthTokenRequest, refusal } from './oauth-protocol.ts'

/** Validity of an access token, ms. */
const accessMs = 60 * 60 * 1000

/** Time without use after which a refresh token expires, ms (RFC 9700, 4.14.2). */
const refreshMs = 90 * 24 * 60 * 60 * 1000

/**
 * Maximum number of valid access tokens of a grant. It is more than 1, so that access tokens in use remain valid when
 * the client refreshes.
 */
const maxAccessTokens = 5

type IssueResult = Promise<OAuthIssuedTokens | OAuthRefusal>

/** Issues the tokens of a request of an authenticated client. */
export function issueOAuthTokens(parts: OAuthParts, client: OAuthClient, request: OAuthTokenRequest): IssueResult {
  if (request.grantType === 'authorization_code') return exchangeCode(parts, client, request)
  if (request.grantType === 'refresh_token') return refresh(parts, client, request)
  return issueWithoutMember(parts, client, request)
}

type RequestOf<Type extends OAuthTokenRequest['grantType']> = Extract<OAuthTokenRequest, { readonly grantType: Type }>

const invalidCode = refusal('invalid_grant', 'The code is invalid, has expired, or was issued for another request.')

async function exchangeCode(
  parts: OAuthParts,
  client: OAuthClient,
  request: RequestOf<'authorization_code'>,
): IssueResult {
  const { host } = parts
  const text = parseCode(request.code)
  const hash = text && (await host.sha256(text.secret))
  const challenge = isCodeVerifier(request.codeVerifier) ? await host.sha256(request.codeVerifier) : undefined
  // When another request changes the tokens at the same time, this loop runs again, and then finds that the code is
  // used.
  for (;;) {
    const stored = text && (await readTokens(parts, text.id))
    const code = stored?.code
    if (!stored || !code || code.hash !== hash || stored.clientId !== client.id) return invalidCode
    if (code.used) {
      await parts.endGrant(stored.id, ', because its code was used twice')
      return invalidCode
    }
    if (stored.expiresAt <= host.now()) return invalidCode
    if (code.redirectUri !== request.redirectUri || code.challenge !== challenge) return invalidCode
    const grant = await readGrant(parts, stored.id)
    if (!grant) return invalidCode
    const used = { ...stored, code: { ...code, used: true } }
    const issued = await issueNext(parts, used, { scopes: grant.scopes, family: host.randomHex(32) })
    if (await replaceTokens(parts, stored, issued.after)) return issued.response
  }
}

const invalidRefreshToken = refusal('invalid_grant', 'The refresh token is invalid, has expired, or was revoked.')

async function refresh(parts: OAuthParts, client: OAuthClient, request: RequestOf<'refresh_token'>): IssueResult {
  const { host } = parts
  const text = parseRefreshToken(request.refreshToken)
  if (!text) return invalidRefreshToken
  const [hash, familyHash] = await Promise.all([host.sha256(text.secret), host.sha256(text.family)])
  for (;;) {
    const stored = await readTokens(parts, text.id)
    if (!stored?.refresh || stored.refresh.familyHash !== familyHash || stored.clientId !== client.id)
      return invalidRefreshToken
    if (stored.refresh.hash !== hash) {
      await parts.endGrant(stored.id, ', because a refresh token was used twice')
      return invalidRefreshToken
    }
    const grant = await readGrant(parts, stored.id)
    if (!grant || stored.expiresAt <= host.now()) return invalidRefreshToken
    const scopes = request.scopes ?? grant.scopes
    if (!isWithin(scopes, grant.scopes)) return exceedingScope
    const issued = await issueNext(parts, stored, { scopes, family: text.family })
    if (await replaceTokens(parts, stored, issued.after)) return issued.response
  }
}

async function issueWithoutMember(
  parts: OAuthParts,
  client: OAuthClient,
  request: RequestOf<'client_credentials'>,
): IssueResult {
  const { id: clientId, clientCredentials } = client
  if (client.public || !clientCredentials)
    return refusal('unauthorized_client', 'The client was registered without scopes of its own.')
  const scopes = request.scopes ?? clientCredentials.scopes
  if (!isWithin(scopes, clientCredentials.scopes)) return exceedingScope
  const { access, secret } = await newAccessToken(parts, scopes)
  const id = parts.host.newId()
  await insertTokens(parts, { id, clientId, access: [access], expiresAt: access.expiresAt, version: 1 })
  return responseOf(accessText({ id, secret }), undefined, scopes)
}

/** The scopes of new tokens, and the family to which they belong. */
interface TokenFamily {
  readonly scopes: readonly string[]
  readonly family: string
}

/** Returns the next state of the tokens of a grant, with a new access token and a new refresh token. */
async function issueNext(parts: OAuthParts, before: OAuthTokens, { scopes, family }: TokenFamily) {
  const { host } = parts
  const now = host.now()
  const { id } = before
  const { access, secret } = await newAccessToken(parts, scopes)
  const refreshSecret = host.randomHex(32)
  const valid = before.access.filter(({ expiresAt }) => expiresAt > now)
  const after: OAuthTokens = {
    ...before,
    refresh: { hash: await host.sha256(refreshSecret), familyHash: await host.sha256(family) },
    access: [...valid, access].slice(-maxAccessTokens),
    expiresAt: now + refreshMs,
  }
  const refreshToken = refreshText({ id, family, secret: refreshSecret })
  return { after, response: responseOf(accessText({ id, secret }), refreshToken, scopes) }
}

async function newAccessToken(
  { host }: OAuthParts,
  scopes: readonly string[],
): Promise<{ readonly access: OAuthAccessToken; readonly secret: string }> {
  const secret = host.randomHex(32)
  const issuedAt = host.now()
  return { secret, access: { hash: await host.sha256(secret), scopes, issuedAt, expiresAt: issuedAt + accessMs } }
}

function responseOf(
  accessToken: string,
  refreshToken: string | undefined,
  scopes: readonly string[],
): OAuthIssuedTokens {
  return { accessToken, refreshToken, scopes, expiresIn: accessMs / 1000 }
}

const exceedingScope = refusal('invalid_scope', 'The scope must be a part of the scope that was granted.')

function isWithin(scopes: readonly string[], granted: readonly string[]): boolean {
  return scopes.length > 0 && scopes.every((scope) => granted.includes(scope))
}
