import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  None,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type Browser, openBrowser } from '../../packages/console/test/chromium.ts'
import { mounts, type OAuthAccount, register, serveAccount } from './oauth-account.ts'
import { callApi } from './person.ts'

let browser: Browser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  browser = await openBrowser()
  context = browser.context
})

afterAll(() => browser?.close())

// No test closes its page, because closing can wait forever while the page still loads the target of the redirect.
beforeEach(async () => {
  await context.clearCookies()
  page = await context.newPage()
})

/** A native application: it opens the browser, and receives the redirect on a port that the system selected. */
interface NativeApp {
  readonly config: Configuration
  readonly authorizationUrl: URL
  readonly verifier: string
  readonly state: string
  /** The URL that the browser was sent to. */
  readonly redirected: Promise<URL>
}

async function startApp(account: OAuthAccount, scope: string): Promise<NativeApp> {
  const { clientId } = await register(account, { redirectUri: 'http://127.0.0.1/callback', public: true })
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close().closeAllConnections())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const redirected = new Promise<URL>((resolve) => {
    server.on('request', ({ url }, response) => {
      response.end('Return to the application.')
      if (url?.startsWith('/callback')) resolve(new URL(url, origin))
    })
  })
  const config = await discovery(new URL(account.issuer), clientId, undefined, None(), {
    algorithm: 'oauth2',
    execute: [allowInsecureRequests],
  })
  const verifier = randomPKCECodeVerifier()
  const state = randomState()
  const authorizationUrl = buildAuthorizationUrl(config, {
    redirect_uri: `${origin}/callback`,
    scope,
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  return { config, authorizationUrl, verifier, state, redirected }
}

async function finish({ config, redirected, verifier, state }: NativeApp) {
  return authorizationCodeGrant(config, await redirected, { pkceCodeVerifier: verifier, expectedState: state })
}

const signIn = (account: OAuthAccount, email: string) =>
  context.addCookies([{ name: 'person', value: email, url: account.issuer }])

describe.each(Object.entries(mounts))('a person in a browser over %s', (_, mount) => {
  it('allows an application with the session of the host', async () => {
    const account = await serveAccount({ mount })
    const app = await startApp(account, 'writer')
    await signIn(account, 'bob@x.io')
    await page.goto(app.authorizationUrl.href)
    expect(await page.getByRole('heading').textContent()).toBe('Allow Deploy bot to act for you?')
    expect(await page.locator('main').textContent()).toContain('You are signed in as bob@x.io')
    expect(await page.evaluate(() => getComputedStyle(document.body).maxWidth)).toBe('480px')
    await page.getByRole('button', { name: 'Allow' }).click()
    const tokens = await finish(app)
    expect(await callApi(account, tokens.access_token, 'POST', '/projects', { key: 'a', name: 'A' })).toBe(201)
    expect(account.errors).toEqual([])
  })
})

describe('a person in a browser', () => {
  it('allows an application with an access token, after one that is not valid', async () => {
    const account = await serveAccount()
    const app = await startApp(account, 'reader')
    await page.goto(app.authorizationUrl.href)
    for (const token of [`api-${'0'.repeat(64)}`, account.admin]) {
      await page.getByLabel('Your access token').fill(token)
      await page.getByRole('button', { name: 'Allow' }).click()
      if (token !== account.admin) expect(await page.getByRole('alert').textContent()).toBe('The token is not valid.')
    }
    const tokens = await finish(app)
    expect(await callApi(account, tokens.access_token)).toBe(200)
  })

  it('denies access to an application, which receives the error access_denied', async () => {
    const account = await serveAccount()
    const app = await startApp(account, 'reader')
    await signIn(account, 'bob@x.io')
    await page.goto(app.authorizationUrl.href)
    await page.getByRole('button', { name: 'Deny' }).click()
    await expect(finish(app)).rejects.toMatchObject({ error: 'access_denied' })
  })

  it('allows nothing by a form that a page of another site submits', async () => {
    const account = await serveAccount()
    const app = await startApp(account, 'admin')
    await signIn(account, 'bob@x.io')
    await page.goto(app.authorizationUrl.href)
    const fields = [...app.authorizationUrl.searchParams, ['decision', 'allow']]
    const inputs = fields.map(([name, value]) => `<input name="${name}" value="${value}">`).join('')
    const html = `<form method="post" action="${account.issuer}/trust/oauth/authorize">${inputs}</form>`
    const evil = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html))
    await new Promise<void>((listening) => evil.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void evil.close().closeAllConnections())
    await page.goto(`http://localhost:${(evil.address() as AddressInfo).port}/`)
    const answered = page.waitForResponse((response) => response.url().includes('/trust/oauth/authorize'))
    await page.locator('form').evaluate((form) => (form as HTMLFormElement).submit())
    expect((await answered).status()).toBe(403)
    const { totalCount } = await account.engine.api.listOAuthGrants({}, { as: account.admin })
    expect(totalCount).toBe(0)
  })

  it('sees no consent page in a frame of another page', async () => {
    const account = await serveAccount()
    const app = await startApp(account, 'reader')
    await signIn(account, 'bob@x.io')
    const html = `<iframe src="${app.authorizationUrl.href.replaceAll('&', '&amp;')}"></iframe>`
    const framing = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html))
    await new Promise<void>((listening) => framing.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void framing.close().closeAllConnections())
    await page.goto(`http://127.0.0.1:${(framing.address() as AddressInfo).port}/`)
    const frame = page.frames()[1]
    expect(await frame?.locator('form').count()).toBe(0)
  })
})
