/**
 * Prints how long the console takes with a large project: the list of 10,000 flags, a key in its search, a key in the
 * editor of a flag with 50 rules, and the memory of the page after 500 navigations. It is not a suite of `npm run
 * bench`, because it needs a browser. CPU time is that of the main thread of the page; on a busy machine it varies less
 * than the time of the clock.
 *
 *     node --conditions=@halyard/source --import tsx bench/console-page.ts [flags] [navigations]
 */
import type { CDPSession, Page } from 'playwright-core'
import { openBrowser } from '../packages/console/test/chromium.ts'
import { type ServedApp, serveApp } from '../packages/console/test/served-app.ts'

const [flagCount = 10_000, navigationCount = 500] = process.argv.slice(2).map(Number)

const ruleCount = 50

/** Clocks of the page, ms, and the size of its heap after a garbage collection, MB. */
interface PageState {
  readonly cpuMs: number
  readonly heapMB: number
}

async function fill({ api }: ServedApp): Promise<void> {
  const projectKey = 'large'
  await api.createProject({ body: { key: projectKey, name: 'Large' } })
  await api.createSegment({ projectKey, environmentKey: 'production', body: { key: 'beta', name: 'Beta testers' } })
  for (let index = 0; index < flagCount; index++) {
    const number = String(index).padStart(5, '0')
    const tags = [`team-${index % 20}`]
    await api.createFlag({ projectKey, body: { key: `flag-${number}`, name: `Flag ${number}`, tags } })
  }
  const rules = Array.from({ length: ruleCount }, (_, index) => ({
    description: `Rule of team ${index}`,
    clauses: [
      index % 5 === 0
        ? { op: 'segmentMatch' as const, attribute: '', values: ['beta'], contextKind: 'user', negate: false }
        : { op: 'in' as const, attribute: 'team', values: [`team-${index}`], contextKind: 'user', negate: false },
    ],
    variation: index % 2,
  }))
  await api.patchFlag({
    projectKey,
    flagKey: 'flag-00007',
    body: [{ op: 'add', path: '/environments/production/rules', value: rules }],
  })
}

async function stateOf(session: CDPSession, { collect = false } = {}): Promise<PageState> {
  if (collect) await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const metric = (name: string) => metrics.find((each) => each.name === name)?.value ?? 0
  return { cpuMs: metric('TaskDuration') * 1_000, heapMB: metric('JSHeapUsedSize') / 1_000_000 }
}

/** Waits until the page has had almost nothing to do for half a second. Its stream of changes stays open. */
async function settle(page: Page, session: CDPSession): Promise<void> {
  for (let before = -1_000; ; ) {
    const { cpuMs } = await stateOf(session)
    if (cpuMs - before < 5) return
    before = cpuMs
    await page.waitForTimeout(500)
  }
}

/** Types a text, and returns the CPU time and the delay until the next frame of each key, ms. */
async function typeKeys(page: Page, session: CDPSession, text: string, pauseMs: number) {
  const keys: { readonly cpuMs: number; readonly frameMs: number }[] = []
  for (const key of text) {
    const before = await stateOf(session)
    await page.evaluate(() => {
      const state = globalThis as { nextFrame?: Promise<number> }
      state.nextFrame = new Promise((resolve) => {
        addEventListener(
          'keydown',
          ({ timeStamp }) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - timeStamp))),
          { once: true, capture: true },
        )
      })
    })
    await page.keyboard.press(key)
    const frameMs = await page.evaluate(() => (globalThis as { nextFrame?: Promise<number> }).nextFrame ?? 0)
    const after = await stateOf(session)
    keys.push({ cpuMs: after.cpuMs - before.cpuMs, frameMs })
    await page.waitForTimeout(pauseMs)
  }
  return keys
}

function print(label: string, values: Readonly<Record<string, number>>): void {
  const text = Object.entries(values).map(([name, value]) => `${name} ${value.toFixed(1)}`)
  console.log(`${label.padEnd(10)} ${text.join('  ')}`)
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const served = await serveApp()
await fill(served)
const member = await served.member('Ann', 'admin')
const browser = await openBrowser()
const page = await browser.context.newPage()
await page.goto(served.signInUrl({ member }))
await page.getByRole('heading', { level: 1 }).waitFor()
const session = await page.context().newCDPSession(page)
await session.send('Performance.enable')

const lists: { ms: number; cpuMs: number; serverMs: number; loadedMs: number }[] = []
for (let index = 0; index < 5; index++) {
  await page.goto('about:blank')
  const before = await stateOf(session)
  const [server, start] = [process.cpuUsage(), performance.now()]
  await page.goto(`${served.origin}/large/production/features`, { waitUntil: 'commit' })
  await page.getByRole('switch').first().waitFor()
  const ms = performance.now() - start
  const cpuMs = (await stateOf(session)).cpuMs - before.cpuMs
  const { user, system } = process.cpuUsage(server)
  await settle(page, session)
  const total = (await stateOf(session)).cpuMs - before.cpuMs
  lists.push({ ms, cpuMs, serverMs: (user + system) / 1_000, loadedMs: total })
}
print('list', {
  'ms until a switch can be used:': median(lists.map(({ ms }) => ms)),
  'CPU ms of the page:': median(lists.map(({ cpuMs }) => cpuMs)),
  'CPU ms of the server and this script:': median(lists.map(({ serverMs }) => serverMs)),
  'CPU ms of the page with everything loaded:': median(lists.map(({ loadedMs }) => loadedMs)),
})

await page.getByLabel('Search').focus()
const searched = await typeKeys(page, session, 'flag 00123', 250)
print('search', {
  'ms of the slowest key until a frame:': Math.max(...searched.map(({ frameMs }) => frameMs)),
  'CPU ms of it:': Math.max(...searched.map(({ cpuMs }) => cpuMs)),
  'median CPU ms:': median(searched.map(({ cpuMs }) => cpuMs)),
})

await page.goto(`${served.origin}/large/production/features/flag-00007`)
await page.getByRole('button', { name: 'Add a rule' }).waitFor()
await settle(page, session)
await page.getByRole('group', { name: 'Rule 25' }).getByRole('textbox').first().focus()
const edited = await typeKeys(page, session, 'for all people', 100)
print('editor', {
  'ms of the slowest key until a frame:': Math.max(...edited.map(({ frameMs }) => frameMs)),
  'CPU ms of it:': Math.max(...edited.map(({ cpuMs }) => cpuMs)),
  'median CPU ms:': median(edited.map(({ cpuMs }) => cpuMs)),
})

const paths = ['features', 'segments', 'features/flag-00007', 'experiments', 'releases']
let first = 0
for (let index = 0; index < navigationCount; index++) {
  await page.evaluate(
    (address) => {
      history.pushState(null, '', address)
      dispatchEvent(new PopStateEvent('popstate'))
    },
    `/large/production/${paths[index % paths.length]}`,
  )
  await page.locator('main h1').waitFor()
  if (index === 20) first = (await stateOf(session, { collect: true })).heapMB
}
await settle(page, session)
print('memory', {
  'MB after 20 navigations:': first,
  [`MB after ${navigationCount}:`]: (await stateOf(session, { collect: true })).heapMB,
})
await browser.close()
await served.close()
