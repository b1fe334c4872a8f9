import { jwtIdentifier } from '@halyard/oidc'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { issuerSignIn } from '../src/mount/issuer-sign-in.ts'
import { type Browser, openBrowser } from './chromium.ts'
import { type ServedApp, serveApp } from './served-app.ts'
import { type SignInIssuer, startSignInIssuer } from './sign-in-issuer.ts'

const clientId = 'the-console'

let issuer: SignInIssuer
let served: ServedApp
let browser: Browser

beforeAll(async () => {
  issuer = await startSignInIssuer('ann@example.com')
  const identifyToken = jwtIdentifier({ issuer: issuer.issuer, audience: [clientId] })
  served = await serveApp({
    issuer: issuer.issuer,
    clientId,
    identifyToken: (token) => identifyToken({ headers: { authorization: `Bearer ${token}` } }),
  })
  await served.api.createProject({ body: { key: 'shop', name: 'Shop' } })
  await served.member('Ann', 'writer')
  browser = await openBrowser()
})

afterAll(async () => {
  await browser?.close()
  await served?.close()
  await issuer?.close()
})

it('the console signs a person in at the issuer, and goes back to the page from which the person came', {
  timeout: 120_000,
}, async () => {
  const page = await browser.context.newPage()
  await page.goto(`${served.origin}/-/change-log?kind=flag`)
  await page.getByRole('button', { name: `Sign in with ${new URL(issuer.issuer).host}` }).click()
  await page.getByRole('heading', { level: 1, name: 'Change log' }).waitFor()
  await page.getByText('Signed in as ann@example.com').waitFor()
  expect(page.url()).toBe(`${served.origin}/-/change-log?kind=flag`)
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toMatch(/verifier|eyJ/)
})

const consoleHeaders = { 'x-requested-with': 'halyard-console', 'content-type': 'application/json' }

/** Goes to the issuer as the page does, and returns what the page sends to the server afterwards. */
async function comeBack() {
  const parameters = await fetch(`${served.origin}/-/issuer`, { headers: consoleHeaders })
  const { authorizationEndpoint } = (await parameters.json()) as { authorizationEndpoint: string }
  const verifier = 'v'.repeat(43)
  const redirectUri = `${served.origin}/-/signed-in`
  const query = {
    client_id: clientId,
    redirect_uri: redirectUri,
    state: 'the-state',
    nonce: 'the-nonce',
    code_challenge: await challengeOf(verifier),
  }
  const response = await fetch(`${authorizationEndpoint}?${new URLSearchParams(query)}`, { redirect: 'manual' })
  const back = new URL(response.headers.get('location') ?? '')
  return { query: back.search, state: 'the-state', nonce: 'the-nonce', verifier, redirectUri }
}

async function challengeOf(verifier: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return Buffer.from(hash).toString('base64url')
}

async function begin(body: object): Promise<{ readonly status: number; readonly cookie: string | null }> {
  const init = { method: 'POST', headers: consoleHeaders, body: JSON.stringify(body) }
  const response = await fetch(`${served.origin}/-/issuer`, init)
  return { status: response.status, cookie: response.headers.get('set-cookie') }
}

it('the console starts only one session for a response of the issuer', async () => {
  const response = await comeBack()
  const { status, cookie } = await begin(response)
  expect(status).toBe(200)
  expect(cookie).toMatch(/^halyard-console=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Strict/)
  expect(await begin(response)).toEqual({ status: 401, cookie: null })
  // A page of another site cannot use the session. From now on the session names the person, and the token of the
  // issuer does not.
  const headers = {
    cookie: cookie?.split(';')[0] ?? '',
    'sec-fetch-site': 'cross-site',
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ key: 'x', name: 'X' })
  const forged = await fetch(`${served.origin}/api/v2/flags/shop`, { method: 'POST', headers, body })
  expect(forged.status).toBe(403)
})

it.each([
  ['another verifier', { verifier: 'w'.repeat(43) }],
  ['another state', { state: 'chosen' }],
  ['another nonce', { nonce: 'chosen' }],
  ['an error of the issuer', { query: '?error=access_denied&state=the-state' }],
  ['a made-up code', { query: '?code=made-up&state=the-state' }],
])('the console refuses a response with %s', async (_, changes) => {
  expect(await begin({ ...(await comeBack()), ...changes })).toEqual({ status: 401, cookie: null })
})

it('the console reports invalid_client when the issuer refuses the client secret', async () => {
  const withSecret = issuerSignIn({
    issuer: issuer.issuer,
    clientId,
    clientSecret: 'wrong',
    identifyToken: () => undefined,
  })
  await expect(withSecret.identify(await comeBack())).rejects.toMatchObject({ error: 'invalid_client' })
})

it('the console names the property that is missing in a response', async () => {
  expect((await begin({ ...(await comeBack()), nonce: 7 })).status).toBe(400)
})
