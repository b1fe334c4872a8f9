import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createExpressHandler } from '@halyard/transport-express'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, openBrowser } from '../../console/test/chromium.ts'
import { tagOf } from '../src/document/tags.ts'
import { createExpressApiDocs } from '../src/index.ts'

const adminToken = 'an-administrator-of-the-docs'
const engine = createEngine({ storage: createMemoryStorage(), rateLimit: false })
let origin: string
let browser: Browser
let page: Page
let close: () => void
/** Requests, errors and policy violations that the page must not cause. */
const violations: string[] = []

beforeAll(async () => {
  await engine.bootstrap({ token: adminToken })
  await engine.api.createProject({ body: { key: 'web', name: 'Web shop' } }, { as: adminToken })
  const api = createExpressHandler(engine)
  const docs = createExpressApiDocs()
  const server = createServer((req, res) => docs(req, res, () => api(req, res)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  close = () => server.close().closeAllConnections()
  browser = await openBrowser()
  page = await browser.context.newPage()
  page.on('request', (request) => {
    // Images in the style sheet are data URLs and not from another origin.
    if (!request.url().startsWith('data:') && new URL(request.url()).origin !== origin) violations.push(request.url())
  })
  page.on('console', (message) => {
    if (message.type() === 'error') violations.push(message.text())
  })
  page.on('pageerror', (error) => violations.push(String(error)))
  await page.addInitScript(() => {
    const logError = console.error
    document.addEventListener('securitypolicyviolation', (event) => logError(`policy: ${event.violatedDirective}`))
  })
  await page.goto(`${origin}/api/v2/docs`)
  await page.locator('.opblock-tag').first().waitFor()
})

afterAll(async () => {
  await browser?.close()
  close?.()
  await engine.close()
  expect(violations).toEqual([])
})

const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
const background = () => page.evaluate(() => getComputedStyle(document.body.parentElement!).backgroundColor)

describe('the page', () => {
  it('lists every tag', async () => {
    const tags = new Set(
      await page.locator('.opblock-tag').evaluateAll((elements) => elements.map((element) => element.dataset.tag)),
    )
    expect(tags).toEqual(new Set(engine.operations.map(tagOf)))
  })

  it('displays an operation with its recorded example, and calls it with the given token', async () => {
    await page.locator('.btn.authorize').first().click()
    await page.locator('.dialog-ux input').first().fill(adminToken)
    await page.locator('.dialog-ux .auth-btn-wrapper .authorize').first().click()
    await page.locator('.dialog-ux .btn-done').first().click()
    await page.locator('.opblock-tag[data-tag="Projects"]').click()
    const operation = page.locator('#operations-Projects-getProject')
    await operation.locator('.opblock-summary-control').click()
    await operation.locator('.try-out__btn').click()
    expect(await operation.locator('.parameters').first().textContent()).toContain('Key of the project.')
    expect(await operation.locator('.responses-table').first().textContent()).toContain('"name": "Project web"')
    await operation.locator('.execute').click()
    const liveResponse = operation.locator('.live-responses-table .response')
    await liveResponse.waitFor()
    expect(await liveResponse.textContent()).toContain('"name": "Web shop"')
  })

  it('uses dark colors when the system does, and fits the screen of a phone', async () => {
    const light = await background()
    await page.emulateMedia({ colorScheme: 'dark' })
    const channels = (await background()).match(/\d+/g)!.slice(0, 3).map(Number)
    expect(
      channels.every((channel) => channel < 64),
      `${light} became ${channels}`,
    ).toBe(true)
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await overflow()).toBe(0)
  })
})
