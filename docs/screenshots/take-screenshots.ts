import path from 'node:path'
import { openBrowser } from '../../packages/console/test/chromium.ts'
import { fillApp, serveApp } from '../../packages/console/test/served-app.ts'

// Takes the pictures of the README: node --conditions=@halyard/source --import tsx docs/screenshots/take-screenshots.ts
const served = await serveApp()
await fillApp(served.api)
const member = await served.member('Ann', 'admin')
const browser = await openBrowser()
const page = await browser.context.newPage()
await page.setViewportSize({ width: 1100, height: 640 })
await page.goto(served.signInUrl({ member }))
await page.getByText('Active').waitFor()
await page.screenshot({ path: path.join(import.meta.dirname, 'flags.png') })
await page.goto(`${served.origin}/shop/production/features/search`)
await page.getByRole('heading', { name: 'Targeting in Production' }).scrollIntoViewIfNeeded()
await page.getByRole('button', { name: 'Add a rule' }).waitFor()
await page.getByRole('group', { name: 'Rule 1' }).scrollIntoViewIfNeeded()
await page.screenshot({ path: path.join(import.meta.dirname, 'flag.png') })
await browser.close()
await served.close()
