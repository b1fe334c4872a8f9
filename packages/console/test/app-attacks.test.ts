import type { BoundApi } from '@halyard/core'
import { expect, it } from 'vitest'
import { expectRefusals, openAppForEachTest, page, served, signIn, signInAs } from './app-in-browser.ts'
import { examplePaths, openLoaded, tabsOfPage } from './app-pages.ts'

const payload = `<img src=x onerror="globalThis.attacked = true">{{constructor}}`

/** Properties of requests that people choose freely. */
const freeTexts = [
  'name',
  'title',
  'firstName',
  'lastName',
  'description',
  'hypothesis',
  'content',
  'comment',
  'instructions',
]

/** Adds the payload to every free text in a value. */
function withPayload(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPayload)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, each]) => [
    name,
    freeTexts.includes(name) && typeof each === 'string' ? payload + each : withPayload(each),
  ])
  return Object.fromEntries(entries)
}

/** Returns an API that adds the payload to every free text of every request. */
function hostileApi(api: BoundApi): BoundApi {
  return new Proxy(api, {
    get: (target, name: keyof BoundApi) => (input: object) =>
      (target[name] as (input: unknown) => unknown)(withPayload(input)),
  })
}

openAppForEachTest({ fillWith: hostileApi })

it('the console shows names and texts with markup as plain text', { timeout: 240_000 }, async () => {
  const member = await served.member('Ann', 'admin')
  const value = { html: payload }
  const { key } = await hostileApi(served.api).createFlag({
    projectKey: 'shop',
    body: {
      key: 'json',
      name: 'JSON',
      tags: ['a'],
      variations: [{ value }, { value: [payload] }],
    },
  })
  await signIn(member)
  let alertCount = 0
  for (const [name, path] of [...examplePaths(), ['flag', `/shop/production/features/${key}`]] as const) {
    await openLoaded(path)
    const tabs = name === 'flag' ? (await tabsOfPage()).slice(1) : []
    for (const each of [path, ...tabs]) {
      if (each !== path) await openLoaded(each)
      const state = await page.evaluate(() => ({
        images: document.querySelectorAll('img, main script, main iframe').length,
        attacked: 'attacked' in globalThis || 'polluted' in {},
        isShown: document.querySelector('main')?.textContent?.includes('<img src=x') ?? false,
      }))
      expect(state, each).toMatchObject({ images: 0, attacked: false })
      if (state.isShown) alertCount++
    }
  }
  // The payload was on most pages, as text.
  expect(alertCount).toBeGreaterThan(15)
})

it('the console removes sign-in codes of links and of issuers from the address and the history', async () => {
  await page.context().clearCookies()
  await page.goto(`${served.origin}/-/signed-in?code=stolen&state=chosen`)
  await page.getByText('The sign-in was not accepted.').waitFor()
  expect(page.url()).toBe(`${served.origin}/`)
  await signInAs({ service: 'ann', role: 'reader' })
  expect(page.url()).not.toContain('sign-in')
  expect(await page.evaluate(() => Object.entries(sessionStorage).join())).not.toMatch(/[0-9a-f]{64}/)
  expect(await page.evaluate(() => document.cookie)).toBe('')
})

it('the console stores a token only for the browser tab in which it was entered', async () => {
  await page.context().clearCookies()
  await page.goto(`${served.origin}/`)
  await page.getByLabel('Access token').fill('an-administrator-of-the-app')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Flags' }).waitFor()
  const stored = await page.evaluate(() => [JSON.stringify({ ...localStorage }), document.cookie, location.href].join())
  expect(stored).not.toContain('administrator')
})

it('the console does not follow addresses that lead to another site', async () => {
  await signInAs({ service: 'ann', role: 'reader' })
  for (const path of [
    '//evil.example/shop/features',
    '/%2F%2Fevil.example/',
    '/\\evil.example/',
    '/?returnTo=https://evil.example',
  ]) {
    await page.goto(`${served.origin}${path}`)
    expect(new URL(page.url()).origin, path).toBe(served.origin)
  }
  // Such addresses are not pages of the console.
  expectRefusals(404)
})
