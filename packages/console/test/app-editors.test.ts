import { expect, it } from 'vitest'
import { longTests } from '../../../test/setup/long-tests.ts'
import { open, openAppForEachTest, page, served, signIn } from './app-in-browser.ts'

openAppForEachTest()

/** Timeout of tests that use many pages one after the other, which is slow on a busy machine. */
const slow = { timeout: 180_000 }

const production = { projectKey: 'shop', environmentKey: 'production' }

/** Number of keys that a test uploads. The largest file that is allowed has a million. */
const uploadedKeys = longTests ? 1_000_000 : 20_000

it(
  'merges the keys of a segment with those of another person, and asks for the approval of the change',
  slow,
  async () => {
    await signIn(await served.member('Ann', 'admin'))
    await open('/shop/production/segments/staff', 'Staff')
    const included = page.getByRole('group', { name: 'Included', exact: true }).getByLabel('Keys of the kind user')
    await included.fill('ann\nbob')
    await page.getByLabel('Context kind').fill('device')
    await page.getByRole('button', { name: 'Add keys of a kind' }).click()
    await page.getByRole('group', { name: 'Excluded', exact: true }).getByLabel('Keys of the kind device').fill('tv-1')
    await served.api.patchSegment({
      ...production,
      segmentKey: 'staff',
      body: {
        environmentKey: 'production',
        instructions: [{ kind: 'addIncludedTargets', contextKind: 'user', values: ['cleo'] }],
      },
    })
    await page.getByText('Both changes are kept.').waitFor({ timeout: 60_000 })
    expect(await included.inputValue()).toBe('cleo\nann\nbob')
    await page.getByRole('button', { name: 'Review the change' }).click()
    const review = page.getByRole('dialog', { name: 'What this change does' })
    await review.getByText('No approval is needed.').waitFor()
    await review.getByLabel('When').selectOption('request')
    await review.getByLabel('Why is this change needed?').fill('New people')
    await review.getByRole('button', { name: 'Ask for approval' }).click()
    await page.getByText('The approval request is created.').waitFor()
    const { items } = await served.api.listApprovalRequests({})
    expect(items.find(({ description }) => description === 'New people')).toMatchObject({
      resourceId: 'proj/shop:env/production:segment/staff',
      instructions: [
        { kind: 'addIncludedTargets', contextKind: 'user', values: ['ann', 'bob'] },
        { kind: 'addExcludedTargets', contextKind: 'device', values: ['tv-1'] },
      ],
    })
  },
)

it('uploads the keys of a segment with a long list, and finds one of them', slow, async () => {
  await signIn(await served.member('Bea', 'admin'))
  await open('/shop/production/segments', 'Segments')
  await page.getByRole('button', { name: 'Create a segment' }).click()
  await page.getByLabel('Name').fill('Newsletter')
  await page.getByLabel('Size').selectOption('big')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Newsletter' }).waitFor()
  const keys = Array.from({ length: uploadedKeys }, (_, index) => `reader-${index}`).join('\n')
  await page.getByLabel('File', { exact: true }).setInputFiles({
    name: 'readers.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(keys),
  })
  // The page shows how much is sent, and that the server still works after that.
  await page.evaluate(() => {
    const state = globalThis as { shown?: number[] }
    state.shown = []
    new MutationObserver(() => {
      const bar = document.querySelector('progress')
      if (bar) state.shown?.push(bar.hasAttribute('value') ? bar.value : 1)
    }).observe(document.body, { subtree: true, childList: true, attributes: true })
  })
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByText(`${uploadedKeys.toLocaleString('en-US')} keys are stored.`).waitFor({ timeout: 150_000 })
  const shown = await page.evaluate(() => (globalThis as { shown?: number[] }).shown ?? [])
  expect(shown[0]).toBe(0)
  expect(shown.at(-1)).toBe(1)
  expect(shown).toEqual(shown.toSorted((a, b) => a - b))
  await page.getByText(`${uploadedKeys.toLocaleString('en-US')} included, 0 excluded`).waitFor()
  await page.getByLabel('Key', { exact: true }).fill(`reader-${uploadedKeys - 1}`)
  await page.getByRole('button', { name: 'Search the key' }).click()
  await page.getByText('is included.').waitFor()
})

it('changes the settings of a flag after a review, and adds a link to it', slow, async () => {
  await signIn(await served.member('Cora', 'admin'))
  await open('/shop/production/features/checkout?tab=settings', 'New checkout')
  await page.getByRole('textbox', { name: 'Name' }).fill('Newest checkout')
  await page.getByRole('textbox', { name: 'Tags' }).fill('web, beta')
  await page.getByLabel('Mobile SDKs').check()
  await page.getByRole('button', { name: 'Review the change' }).click()
  const review = page.getByRole('dialog', { name: 'What this change does' })
  await review.getByText('renamed').first().waitFor()
  await review.getByText('removed the tag payment').waitFor()
  await review.getByRole('button', { name: 'Save the change' }).click()
  await page.getByRole('heading', { level: 1, name: 'Newest checkout' }).waitFor()
  expect(await served.api.getFlag({ projectKey: 'shop', flagKey: 'checkout' })).toMatchObject({
    name: 'Newest checkout',
    tags: ['web', 'beta'],
    clientSideAvailability: { usingMobileKey: true },
  })
  await page.getByRole('link', { name: 'Links and code' }).click()
  await page.getByRole('button', { name: 'Add a link' }).click()
  await page.getByLabel('Address').fill('https://tickets.example.com/7')
  await page.getByLabel('Title').fill('Ticket 7')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const link = page.getByRole('link', { name: 'Ticket 7' })
  expect(await link.getAttribute('href')).toBe('https://tickets.example.com/7')
})

it('reviews a new prompt of an AI config before it is saved', slow, async () => {
  await signIn(await served.member('Dora', 'admin'))
  await open('/shop/production/ai-configs/helper', 'Helper')
  await page.getByRole('button', { name: 'Edit' }).first().click()
  const form = page.getByRole('dialog').first()
  await form.getByLabel('Message 1', { exact: true }).fill('Answer at length.')
  await form.getByRole('button', { name: 'Review the change' }).click()
  const review = page.getByRole('dialog', { name: 'What this change does' })
  await review.getByText('message').first().waitFor()
  await review.getByLabel('Comment').fill('Longer answers')
  await review.getByRole('button', { name: 'Save the change' }).click()
  await page.getByRole('dialog').first().waitFor({ state: 'detached' })
  const { variations } = await served.api.getAIConfig({ projectKey: 'shop', configKey: 'helper' })
  expect(variations[0]?.messages).toEqual([{ role: 'system', content: 'Answer at length.' }])
})

it('sends the messages of a webhook in the format of a chat', slow, async () => {
  await signIn(await served.member('Eve', 'admin'))
  await open('/-/webhooks', 'Webhooks')
  await page.getByRole('button', { name: 'Create a webhook' }).click()
  await page.getByLabel('Name').fill('Team channel')
  await page.getByLabel('Address').fill('https://hooks.example.com/services/1')
  await page.getByLabel('Format of the messages').selectOption({ label: 'Slack' })
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('link', { name: 'Team channel' }).click()
  await page.getByText('Format of the messages: Slack').waitFor()
  const stored = async () => (await served.api.listWebhooks({})).items.find(({ name }) => name === 'Team channel')
  expect(await stored()).toMatchObject({ format: 'slack', url: 'https://hooks.example.com/services/1' })
  await page.getByRole('button', { name: 'Change the address' }).click()
  await page.getByLabel('Format of the messages').selectOption('')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Format of the messages: Entries of the change log').waitFor()
  expect(await stored()).not.toHaveProperty('format')
})
