import type { HostIdentity } from '@halyard/core'
import { expect, it } from 'vitest'
import { openAppForEachTest, page, served } from './app-in-browser.ts'

openAppForEachTest()

const flag = 'proj/shop:env/production:flag/search'
const everywhere = 'proj/shop:env/*:flag/search'

/** Each action that the page of a flag offers, with the resource that it is done to. */
const actions = [
  ['updateGlobalArchived', everywhere],
  ['createFlag', 'proj/shop:env/*:flag/*'],
  ['deleteFlag', everywhere],
  ['updateOn', flag],
  ['updatePrerequisites', flag],
  ['updateTargets', flag],
  ['updateRules', flag],
  ['updateFallthrough', flag],
  ['updateOffVariation', flag],
] as const

const people: readonly (readonly [string, HostIdentity])[] = [
  ['a reader', { service: 'reader', role: 'reader' }],
  ['a writer', { service: 'writer', role: 'writer' }],
  [
    'a person who may turn flags on and off and edit rules',
    {
      service: 'operator',
      inlinePolicy: [
        { effect: 'allow', resources: ['proj/*'], actions: ['viewProject'] },
        { effect: 'allow', resources: ['proj/*:env/production:flag/*'], actions: ['updateOn', 'updateRules'] },
      ],
    },
  ],
]

it.each(people)('offers %s what `explain` allows, and the reason for everything else', async (_, identity) => {
  await page.goto(served.signInUrl(identity))
  await page.getByRole('heading', { level: 1, name: 'Flags' }).waitFor()
  await page.goto(`${served.origin}/shop/production/features/search`)
  await page.getByRole('button', { name: 'Add a rule' }).waitFor()
  const offered = async () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button[data-action], fieldset[data-action]:enabled')].map(
        ({ dataset }) => dataset.action,
      ),
    )
  const rights = await Promise.all(
    actions.map(([action, resource]) => served.engine.explain({ as: { identity }, action, resource })),
  )
  const allowed = actions.filter((__, index) => rights[index]?.allowed).map(([action]) => action)
  await expect.poll(offered).toEqual(allowed)
  expect(await page.locator('.why-not').count()).toBe(actions.length - allowed.length)
  for (const [index, { text, nearMisses }] of rights.filter((right) => !right.allowed).entries()) {
    const shown = await page.locator('.why-not').nth(index).textContent()
    for (const miss of nearMisses) expect(shown).toContain(miss)
    expect(shown).toContain(text.split(';')[0])
  }
})
