import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { longTests } from '../../../test/setup/long-tests.ts'
import { type Browser, openBrowser } from '../../console/test/chromium.ts'
import { emptyStorage, halyardProcess, temporaryFolder } from './halyard-process.ts'

/** Opens a page in a browser of its own, and records errors, which no page may cause. */
async function openWatchedPage(link: string, errors: string[]): Promise<Page> {
  const browser: Browser = await openBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.context.newPage()
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(String(error)))
  await page.goto(link)
  return page
}

/** Makes a flag that is served to a fifth of a segment, from a date on, when another person has approved it. */
async function requestRollout(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create a flag' }).click()
  await page.getByLabel('Name').fill('Fast delivery')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('switch', { name: 'The flag is on' }).click()
  await page.getByRole('button', { name: 'Add a rule' }).click()
  const rule = page.getByRole('group', { name: 'Rule 1' })
  await rule.getByLabel('Operator').selectOption({ label: 'is in the segment' })
  await rule.getByLabel('Nordic customers').check()
  await rule.getByLabel('then serve').selectOption({ label: 'A percentage rollout' })
  await rule.getByRole('spinbutton', { name: 'Share of true' }).fill('20')
  await page.getByRole('button', { name: 'Review the change' }).click()
  const review = page.getByRole('dialog', { name: 'What this change does' })
  await review.getByText('turned on Fast delivery in Production').waitFor()
  await review.getByLabel('When').selectOption({ label: 'Ask for approval' })
  await review.getByLabel('Make the change at (optional)').fill('2099-01-02T03:04')
  await review.getByLabel('Why is this change needed?').fill('Try it with a few customers')
  await review.getByLabel('Grace Hopper').check()
  await review.getByRole('button', { name: 'Ask for approval' }).click()
  await page.getByText('The approval request is created.').waitFor()
}

// The tests of the console do the same on a server of their own.
it.runIf(longTests)(
  'a newcomer releases a flag to a fifth of a segment, and reverts it',
  { timeout: 240_000 },
  async () => {
    const storage = emptyStorage(temporaryFolder())
    const server = halyardProcess(['serve', '--port', '0', '--storage', storage, '--demo'])
    const [, owner = ''] = await server.printed(/this link signs you in once\): (\S+)/)
    const [, second = ''] = await server.printed(/Console as grace@example.com, for a private window: (\S+)/)
    const errors: string[] = []
    const page = await openWatchedPage(owner, errors)
    await requestRollout(page)

    const other = await openWatchedPage(second, errors)
    await other.getByRole('link', { name: 'Approvals' }).click()
    const request = other.getByRole('listitem').filter({ hasText: 'Try it with a few customers' }).first()
    await request.getByRole('button', { name: 'Approve' }).click()
    await other.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await request.getByText('approve').first().waitFor()

    // The change waits for its date, but the newcomer makes it now.
    await page.getByRole('link', { name: 'Approvals' }).click()
    const approved = page.getByRole('listitem').filter({ hasText: 'Try it with a few customers' }).first()
    await approved.getByText('scheduled').first().waitFor()
    await approved.getByRole('button', { name: 'Apply' }).click()
    await approved.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Change log' }).click()
    await page.getByRole('button', { name: /^Revert: .*turned on Fast delivery/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revert', exact: true }).click()
    await page.getByText('The change is reverted.').waitFor()
    await page.getByRole('link', { name: 'Flags', exact: true }).click()
    await page.getByLabel('Search').fill('fast-delivery')
    const state = page.getByRole('row', { name: /fast-delivery/ }).getByRole('switch')
    await expect.poll(() => state.getAttribute('aria-checked')).toBe('false')
    expect(errors).toEqual([])
  },
)
