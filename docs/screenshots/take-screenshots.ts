import path from 'node:path'
import { openBrowser } from '../../packages/console/test/chromium.ts'
import { fillAccount } from '../../packages/console/test/fill-account.ts'
import { fillApp, serveApp } from '../../packages/console/test/served-app.ts'

// Takes the pictures of the README: node --conditions=@halyard/source --import tsx docs/screenshots/take-screenshots.ts
const served = await serveApp()
await fillApp(served.api)
const member = await served.member('Ann', 'admin')
await fillAccount(served.api, served.engine)
await fillBoard()
const browser = await openBrowser()
const page = await browser.context.newPage()
await page.setViewportSize({ width: 1100, height: 640 })
const take = (name: string) => page.screenshot({ path: path.join(import.meta.dirname, `${name}.png`) })
const open = (target: string) => page.goto(`${served.origin}/shop/production/${target}`)

await page.goto(served.signInUrl({ member }))
await page.getByText('Active').first().waitFor()
await take('flags')

await open('features/search')
await page.getByRole('button', { name: 'Add a rule' }).waitFor()
await page.getByRole('group', { name: 'Rule 1' }).scrollIntoViewIfNeeded()
await take('flag')

await page
  .getByRole('group', { name: 'Rule 1' })
  .getByLabel('then serve')
  .selectOption({ label: 'A percentage rollout' })
await page.getByRole('button', { name: 'Review the change' }).click()
await page.getByText('No approval is needed.').waitFor()
await take('review')

await open('board')
await page
  .getByRole('row', { name: /Slow start/ })
  .first()
  .waitFor()
await take('board')

await open('experiments/price')
await page.locator('.drawing svg').waitFor()
await page.locator('.drawing svg').evaluate((drawing) => drawing.scrollIntoView({ block: 'center' }))
await take('experiment')

await browser.close()
await served.close()

/** Adds a guarded release, a scheduled change and an approval request. */
async function fillBoard(): Promise<void> {
  const { api } = served
  const flag = await api.createFlag({ projectKey: 'shop', body: { key: 'slow', name: 'Slow start' } })
  const [targetVariationId = '', originalVariationId = ''] = flag.variations.map(({ _id }) => _id)
  const stages = [10_000, 50_000].map((allocation) => ({ allocation, durationMillis: 86_400_000 }))
  const release = { releaseKind: 'guarded' as const, metrics: [{ key: 'paid' }], stages }
  const start = { kind: 'startAutomatedRelease' as const, ...release, targetVariationId, originalVariationId }
  await api.patchFlag({
    projectKey: 'shop',
    flagKey: 'slow',
    body: { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }, start] },
  })
  const keys = { projectKey: 'shop', environmentKey: 'production' }
  const instructions = [{ kind: 'turnFlagOn' as const }]
  const executionDate = Date.now() + 3 * 86_400_000
  await api.createScheduledChange({ ...keys, flagKey: 'checkout', body: { instructions, executionDate } })
  const body = { description: 'Show the banner on Friday', instructions }
  await api.createApprovalRequestForFlag({ ...keys, flagKey: 'banner', body })
}
