import type { HostIdentity } from '@halyard/core'
import { expect, it } from 'vitest'
import { expectRefusals, openAppForEachTest, page, served, signInAs, violations } from './app-in-browser.ts'
import { examplePaths, openLoaded, tabsOfPage } from './app-pages.ts'

openAppForEachTest()

const people: readonly (readonly [string, HostIdentity])[] = [
  ['a reader', { service: 'reader', role: 'reader' }],
  ['a writer', { service: 'writer', role: 'writer' }],
  [
    'a person who may turn flags on and off, edit rules, and test webhooks',
    {
      service: 'operator',
      inlinePolicy: [
        { effect: 'allow', resources: ['proj/*'], actions: ['viewProject'] },
        { effect: 'allow', resources: ['webhook/*'], actions: ['viewWebhook', 'updateOn'] },
        { effect: 'allow', resources: ['proj/*:env/production:flag/*'], actions: ['updateOn', 'updateRules'] },
      ],
    },
  ],
]

/** An action that the page names, with what the page says about it. */
interface Offer {
  readonly action: string
  readonly resource: string
  readonly offered: boolean
  readonly reason: string
}

/** Returns every action that the page offers or refuses. */
function offersOfPage(): Promise<Offer[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main [data-resource]')].map((element) => {
      const { action, refused, resource = '' } = element.dataset
      const isOff = element instanceof HTMLFieldSetElement && element.disabled
      const offered = refused === undefined && !isOff
      return { action: action ?? refused ?? '', resource, offered, reason: refused ? (element.textContent ?? '') : '' }
    }),
  )
}

/** Returns how the page differs from the explanations of the engine. */
async function differences(identity: HostIdentity): Promise<string[]> {
  const offeredActions: string[] = []
  for (const { action, resource, offered, reason } of await offersOfPage()) {
    const { allowed, text, nearMisses } = await served.engine.explain({ as: { identity }, action, resource })
    if (offered !== allowed) offeredActions.push(`${action} on ${resource} is ${offered ? 'offered' : 'refused'}`)
    const parts = [text.split(';')[0] ?? '', ...nearMisses]
    if (reason !== '') offeredActions.push(...parts.filter((part) => !reason.includes(part)))
  }
  return offeredActions
}

it.each(people)(
  'the console offers %s the actions that `explain` allows, and the reason for all others',
  {
    timeout: 240_000,
  },
  async (_, identity) => {
    await signInAs(identity)
    const offers: Offer[] = []
    for (const [name, path] of examplePaths()) {
      await openLoaded(path)
      const tabs = name === 'flag' ? (await tabsOfPage()).slice(1) : []
      for (const each of [path, ...tabs]) {
        if (each !== path) await openLoaded(each)
        expect(await differences(identity), each).toEqual([])
        offers.push(...(await offersOfPage()))
      }
    }
    // The pages show why the server refuses some requests of people with few rights.
    if (violations.length > 0) expectRefusals(403)
    // Each page that changes something names its actions.
    expect(new Set(offers.map(({ action }) => action)).size).toBeGreaterThan(20)
  },
)

it('the console offers actions although the server failed to respond to the first request for rights', {
  timeout: 120_000,
}, async () => {
  await signInAs({ service: 'writer', role: 'writer' })
  const url = page.url()
  // Ends the requests of this page, so that the first request below is one of the next page.
  await page.goto('about:blank')
  let requests = 0
  await page.route('**/-/rights', (route) =>
    requests++ === 0 ? route.fulfill({ status: 503, body: '{}' }) : route.continue(),
  )
  await page.goto(url)
  await page.getByRole('button', { name: 'Create a flag' }).waitFor()
  await page.unroute('**/-/rights')
  await expect.poll(() => violations.length).toBeGreaterThan(0)
  expectRefusals(503)
})
