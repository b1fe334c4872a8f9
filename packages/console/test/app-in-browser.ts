import type { BoundApi, HostIdentity } from '@halyard/core'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest'
import { type Browser, openBrowser } from './chromium.ts'
import { fillAccount } from './fill-account.ts'
import { operateByKeyboard } from './keyboard.ts'
import { fillApp, type ServedApp, serveApp } from './served-app.ts'

/** The served console that all tests of a file share. */
export let served: ServedApp
let browser: Browser
/** The page of all tests of a file. A page that is closed while it loads can hang, so no test closes it. */
export let page: Page
/** Events that no page may cause: errors, requests to other hosts, and violations of its policy. */
export const violations: string[] = []
let restoreMouse = () => {}

/**
 * Opens a page in a browser for the tests of the file. Violations of the page fail the test.
 *
 * @param fillWith returns the API that fills the account. Default: that of its administrator.
 */
export function openAppForEachTest({ fillWith = (api: BoundApi) => api } = {}): void {
  beforeAll(async () => {
    served = await serveApp()
    const api = fillWith(served.api)
    await fillApp(api)
    served.keys = await fillAccount(api, served.engine)
    // The first request bundles the console from its sources.
    await fetch(`${served.origin}/`)
    browser = await openBrowser()
    page = await watchedPage(browser.context)
    await page.route(`**${emptyPage}`, (route) => route.fulfill({ contentType: 'text/html', body: '' }))
    if (inject('projectName') === 'keyboard') restoreMouse = operateByKeyboard(page)
  }, 180_000)
  afterAll(async () => {
    restoreMouse()
    await browser?.close()
    await served?.close()
  })
  beforeEach(() => {
    violations.length = 0
  })
  afterEach(async () => {
    if (page.url().startsWith(served.origin)) {
      // A page of the console that still loads would be refused without its session.
      await page.goto(`${served.origin}${emptyPage}`)
      await page.evaluate(() => {
        sessionStorage.clear()
        localStorage.clear()
      })
    }
    await page.goto('about:blank')
    await page.context().clearCookies()
    expect(violations).toEqual([])
  })
}

/** Path of a page of the console's origin that loads nothing. */
const emptyPage = '/an-empty-page'

/** Opens a page whose violations are recorded. */
export async function watchedPage(context: BrowserContext): Promise<Page> {
  const opened = await context.newPage()
  opened.on('request', (request) => {
    if (new URL(request.url()).origin !== served.origin) violations.push(`requests ${request.url()}`)
  })
  opened.on('console', (message) => {
    if (message.type() === 'error') violations.push(`${message.text()} ${message.location().url}`)
  })
  opened.on('pageerror', (error) => violations.push(String(error)))
  await opened.addInitScript(() => {
    const logError = console.error
    document.addEventListener('securitypolicyviolation', (event) => logError(`policy: ${event.violatedDirective}`))
  })
  return opened
}

/** Signs the page in as a member. */
export function signIn(member: string): Promise<void> {
  return signInAs({ member })
}

/** Signs the page in as a person. */
export async function signInAs(identity: HostIdentity): Promise<void> {
  // The link may differ from the address of the page in its fragment only, which would load nothing.
  await page.goto('about:blank')
  await page.goto(served.signInUrl(identity))
  await page.getByRole('heading', { level: 1, name: 'Flags' }).waitFor()
}

/** Opens a path of the console, and waits for its heading. */
export async function open(path: string, heading: string): Promise<void> {
  await page.goto(`${served.origin}${path}`)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
}

/** Behaves as a person who returns to the tab of the console, which then reads its data again. */
export async function returnToTab(): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
}

/**
 * Removes expected refusals from the violations: requests that the server refused with a status. The browser reports
 * them as errors.
 */
export function expectRefusals(status: number): void {
  const others = violations.filter((violation) => !violation.includes(`with a status of ${status} `))
  expect(others.length, `requests with status ${status}`).toBeLessThan(violations.length)
  violations.splice(0, violations.length, ...others)
}
