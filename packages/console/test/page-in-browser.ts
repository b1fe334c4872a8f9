import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { type Browser, openBrowser } from './chromium.ts'
import { adminToken, fillConsole, type ServedConsole, serveConsole } from './served-console.ts'

/** The served console that all tests of a file share. */
export let servedConsole: ServedConsole
let browser: Browser
let context: BrowserContext
/** The page of the current test. */
export let page: Page
/** Requests, errors and policy violations that the page must not cause. */
let violations: string[]

/** Opens a page in a browser for each test of the file. Violations of the page fail the test. */
export function openPageForEachTest(): void {
  beforeAll(async () => {
    servedConsole = await serveConsole()
    await fillConsole(servedConsole)
    browser = await openBrowser()
    context = browser.context
  })

  afterAll(async () => {
    await browser?.close()
    await servedConsole?.close()
  })

  beforeEach(async () => {
    violations = []
    page = await context.newPage()
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== servedConsole.origin) violations.push(`asks ${request.url()}`)
    })
    page.on('console', (message) => {
      // A chart that the API does not have and a refused token are expected responses.
      if (message.type() === 'error' && !/status of 40[0134]/.test(message.text())) violations.push(message.text())
    })
    page.on('pageerror', (error) => violations.push(String(error)))
    await page.addInitScript(() => {
      const logError = console.error
      document.addEventListener('securitypolicyviolation', (event) => logError(`policy: ${event.violatedDirective}`))
    })
  })

  afterEach(async () => {
    await page.close()
    expect(violations).toEqual([])
  })
}

/** Opens the page with a token in its tab, and waits until it has loaded. */
export async function openConsole(query: string, token = adminToken): Promise<void> {
  await page.addInitScript((value) => {
    if (!sessionStorage.getItem('given')) sessionStorage.setItem('halyard-token', value)
    sessionStorage.setItem('given', 'yes')
  }, token)
  await page.goto(`${servedConsole.origin}/insights${query}`)
  await page
    .locator('#status', { hasText: /Shown:|Nothing/ })
    .or(page.locator('.failure p'))
    .or(page.locator('#sign-in-reason:not(:empty)'))
    .first()
    .waitFor()
}

/** Resolves when the page shows its data. */
export const waitUntilShown = () => page.locator('#status', { hasText: 'Shown:' }).waitFor()

/** Returns the rows of the table of a section; times as ISO text. */
export async function tableOf(section: string): Promise<string[][]> {
  const sectionLocator = page.locator(section)
  if ((await sectionLocator.locator('details[open]').count()) === 0)
    await sectionLocator.locator('summary').first().click()
  await sectionLocator.locator('tbody tr').first().waitFor()
  return sectionLocator
    .locator('table')
    .first()
    .evaluate((table) =>
      [...(table as HTMLTableElement).rows].map((row) =>
        [...row.cells].map((cell) => cell.querySelector('time')?.dateTime ?? cell.textContent),
      ),
    )
}
