import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { beforeAll, expect, it } from 'vitest'
import { longTests } from '../../../test/setup/long-tests.ts'
import { openAppForEachTest, page, served, signIn } from './app-in-browser.ts'
import { examplePaths, openLoaded, tabsOfPage } from './app-pages.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

openAppForEachTest()

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
}

/**
 * Themes, and the rules of axe that run in each. Themes differ in colors only, so rules that do not concern colors run
 * once.
 */
const themes = [['light', undefined], ...(longTests ? [['dark', ['color-contrast']] as const] : [])] as const

/** Returns the findings of axe in the page. Long runs test both themes. */
async function axeViolations(): Promise<string[]> {
  // The policy of the page refuses injected scripts, so axe runs as a function of the debugger. A page keeps it until
  // it is loaded again.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  const problems: string[] = []
  for (const [colorScheme, rules] of themes) {
    await page.emulateMedia({ colorScheme })
    const { violations } = await page.evaluate(
      (runOnly) =>
        (globalThis as unknown as { axe: { run(options: object): Promise<AxeResult> } }).axe.run(
          runOnly === undefined ? {} : { runOnly },
        ),
      rules,
    )
    problems.push(
      ...violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html }) => `${id} in ${colorScheme}: ${html.slice(0, 120)}`),
      ),
    )
  }
  return problems
}

/**
 * Returns true for pages of which all tabs are tested. In long runs that is every page except the page of several
 * projects.
 */
function hasTestedTabs(name: string): boolean {
  return longTests ? name !== 'home' : name === 'flag'
}

let member: string

beforeAll(async () => {
  member = await served.member('Axel', 'admin')
  const flag = { projectKey: 'shop', environmentKey: 'production', flagKey: 'search' }
  const instructions = [{ kind: 'turnFlagOff' as const }]
  await served.api.createApprovalRequestForFlag({ ...flag, body: { description: 'Off at night', instructions } })
  await served.api.createScheduledChange({ ...flag, body: { instructions, executionDate: 8_000_000_000_000 } })
})

async function expectAccessible(path: string): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 })
  await openLoaded(path)
  expect(await page.locator('main [role=alert]').allTextContents(), path).toEqual([])
  expect(await axeViolations(), path).toEqual([])
  await page.setViewportSize({ width: 320, height: 740 })
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width, path).toBeLessThanOrEqual(320)
}

it('no page violates a rule of axe, or is wider than 320 pixels', { timeout: 240_000 }, async () => {
  await signIn(member)
  for (const [name, path] of examplePaths()) {
    await expectAccessible(path)
    if (hasTestedTabs(name)) for (const tab of (await tabsOfPage()).slice(1)) await expectAccessible(tab)
  }
})

it('no dialog and no sign-in page violates a rule of axe', { timeout: 120_000 }, async () => {
  await page.context().clearCookies()
  await page.goto(`${served.origin}/-/projects`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await axeViolations()).toEqual([])
  await signIn(member)
  await page.getByRole('button', { name: 'Create a flag' }).click()
  await page.getByLabel('Values').selectOption('json')
  expect(await axeViolations()).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('switch').first().click()
  await page.getByText('No approval is needed.').waitFor()
  expect(await axeViolations()).toEqual([])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: 'Banner (banner)' }).waitFor()
  expect(await axeViolations()).toEqual([])
  await page.keyboard.press('Escape')
  await openLoaded('/-/relays')
  await page.getByRole('button', { name: 'Create a relay' }).click()
  await page.getByText('Shop: Production').waitFor()
  expect(await axeViolations()).toEqual([])
  await page.keyboard.press('Escape')
  await openLoaded('/shop/production/features/search?tab=workflows')
  await page.getByRole('button', { name: 'Create a workflow' }).click()
  await page.getByRole('button', { name: 'Add a condition' }).click()
  await page.getByLabel('Action 1').selectOption({ label: 'Change the default rule' })
  await page.getByLabel('Default rule').selectOption({ label: 'A percentage rollout' })
  expect(await axeViolations()).toEqual([])
  await page.getByLabel('Stages').selectOption({ label: 'From the template Night' })
  await page.getByLabel('Stage 2: date of condition 1').waitFor()
  expect(await axeViolations()).toEqual([])
})
