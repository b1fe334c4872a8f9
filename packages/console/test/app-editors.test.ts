import { expect, it } from 'vitest'
import { longTests } from '../../../test/setup/long-tests.ts'
import { open, openAppForEachTest, page, returnToTab, served, signIn } from './app-in-browser.ts'

openAppForEachTest()

/** Timeout of tests that use many pages one after the other, which is slow on a busy machine. */
const slow = { timeout: 180_000 }

const production = { projectKey: 'shop', environmentKey: 'production' }

/** Number of keys that a test uploads. The largest file that is allowed has a million. */
const uploadedKeys = longTests ? 1_000_000 : 20_000

it(
  'the console merges the changes of two people to the keys of a segment, and requests approval of the merged change',
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
    await returnToTab()
    await page.getByText('Both changes are kept.').waitFor()
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

it('the console uploads the keys of a segment with a long list, and finds one of them', slow, async () => {
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
  const editorSizes = await page.evaluate(() => (globalThis as { shown?: number[] }).shown ?? [])
  expect(editorSizes[0]).toBe(0)
  expect(editorSizes.at(-1)).toBe(1)
  expect(editorSizes).toEqual(editorSizes.toSorted((a, b) => a - b))
  await page.getByText(`${uploadedKeys.toLocaleString('en-US')} included, 0 excluded`).waitFor()
  await page.getByLabel('Key', { exact: true }).fill(`reader-${uploadedKeys - 1}`)
  await page.getByRole('button', { name: 'Search the key' }).click()
  await page.getByText('is included.').waitFor()
})

it('the console changes the settings of a flag after a review, and adds a link to the flag', slow, async () => {
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

it('the console shows a review of a new prompt of an AI config before it is saved', slow, async () => {
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

it('the console sends the messages of a webhook in the format of a chat', slow, async () => {
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

const bannerKeys = { ...production, flagKey: 'banner' }

/** Opens the workflows of the flag `banner`, and the dialog that creates one. */
async function openWorkflowForm(name: string) {
  await open('/shop/production/features/banner?tab=workflows', 'Banner')
  await page.getByRole('button', { name: 'Create a workflow' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name', { exact: true }).fill(name)
  const create = async () => {
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByRole('heading', { level: 3, name }).waitFor()
    const { items } = await served.api.getWorkflows(bannerKeys)
    return items.find((workflow) => workflow.name === name)
  }
  return { form, create, entry: page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) }) }
}

/** Returns the id of the member with a first name. */
async function idOf(firstName: string): Promise<string | undefined> {
  const { items } = await served.api.listMembers({ limit: 100 })
  return items.find((member) => member.firstName === firstName)?._id
}

it(
  'the console creates a workflow from stages with conditions and actions, shows their state, and deletes it',
  slow,
  async () => {
    await signIn(await served.member('Fay', 'admin'))
    const { variations } = await served.api.getFlag(bannerKeys)
    const [shown, hidden] = variations.map(({ _id }) => _id)
    const { form, create, entry } = await openWorkflowForm('Slow launch')
    const first = form.getByRole('group', { name: 'Stage 1' })
    await first.getByLabel('Name of the stage').fill('Ask')
    await first.getByRole('button', { name: 'Add a condition' }).click()
    await first.getByLabel('Condition 1').selectOption({ label: 'Approval' })
    await first.getByLabel('Text for reviewers').fill('Is it ready?')
    await first.getByRole('group', { name: 'Members to notify' }).getByLabel('Fay Tester').check()
    await first.getByLabel('Teams to notify').fill('qa')
    await form.getByRole('button', { name: 'Add a stage' }).click()
    const second = form.getByRole('group', { name: 'Stage 2' })
    await second.getByRole('button', { name: 'Add a condition' }).click()
    await second.getByLabel('Time to wait').fill('2')
    await second.getByLabel('Unit').selectOption({ label: 'weeks' })
    await second.getByRole('button', { name: 'Add a condition' }).click()
    await second.getByLabel('Condition 2').selectOption({ label: 'At a date' })
    await second.getByLabel('Date and time').fill('2099-01-31T10:30')
    await second.getByLabel('Each condition begins after the one before it').check()
    await second.getByLabel('Action 1').selectOption({ label: 'Change the default rule' })
    await second.getByLabel('Default rule').selectOption({ label: 'A percentage rollout' })
    await second.getByRole('spinbutton').first().fill('25')
    await second.getByRole('button', { name: 'Add an action' }).click()
    await second.getByLabel('Action 2').selectOption({ label: 'Other instructions' })
    expect(await form.getByRole('button', { name: 'Create', exact: true }).isDisabled()).toBe(true)
    await second.getByLabel('Instructions').fill('[{"kind": "addTags", "values": ["slow"]}]')
    await second.getByRole('button', { name: 'Add an action' }).click()
    await second.getByLabel('Action 3').selectOption({ label: 'Change the off variation' })
    await second.getByLabel('Off variation', { exact: true }).selectOption({ label: 'true' })
    const executionDate = await page.evaluate(() => String(new Date('2099-01-31T10:30').getTime()))
    const workflow = await create()
    expect(workflow?.stages).toMatchObject([
      {
        name: 'Ask',
        conditions: [
          {
            kind: 'ld-approval',
            description: 'Is it ready?',
            notifyMemberIds: [await idOf('Fay')],
            notifyTeamKeys: ['qa'],
          },
        ],
        action: { instructions: [{ kind: 'turnFlagOn' }] },
      },
      {
        executeConditionsInSequence: true,
        conditions: [
          { kind: 'schedule', waitDuration: 2, waitDurationUnit: 'calendarWeek' },
          { kind: 'schedule', executionDate },
        ],
        action: {
          instructions: [
            {
              kind: 'updateFallthroughVariationOrRollout',
              rolloutWeights: { [shown ?? '']: 25_000, [hidden ?? '']: 75_000 },
              rolloutContextKind: 'user',
            },
            { kind: 'addTags', values: ['slow'] },
            { kind: 'updateOffVariation', variationId: shown },
          ],
        },
      },
    ])
    await entry.getByText('Stage 1: Ask · running').waitFor()
    await entry
      .getByText('after an approval: Is it ready? (notifies Fay Tester, team qa) · waits for reviewers')
      .waitFor()
    await entry.getByText('Stage 2 · not begun').waitFor()
    await entry.getByText('after 2 weeks').waitFor()
    await entry.getByRole('link', { name: 'Approval request' }).click()
    await page.getByText('Is it ready?').waitFor()
    await page.getByRole('link', { name: 'Workflows', exact: true }).click()
    await entry.getByRole('button', { name: 'Stop and delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop and delete' }).click()
    await entry.waitFor({ state: 'detached' })
    expect((await served.api.getWorkflows(bannerKeys)).items).toEqual([])
    const { items } = await served.api.listApprovalRequestsForFlag(bannerKeys)
    expect(items.filter(({ description }) => description === 'Is it ready?')).toEqual([])
  },
)

it(
  'the console shows why a workflow failed, and which stage of another workflow could not be applied yet',
  slow,
  async () => {
    await signIn(await served.member('Ida', 'admin'))
    await served.api.createFlag({ projectKey: 'shop', body: { key: 'menu', name: 'Menu' } })
    const keys = { ...production, flagKey: 'menu' }
    const [variation] = (await served.api.getFlag(keys)).variations
    const add = { kind: 'addTargets' as const, contextKind: 'user', variationId: variation?._id ?? '' }
    const approval = { kind: 'ld-approval' as const }
    const post = (name: string, stageName: string, value: string) =>
      served.api.postWorkflow({
        ...keys,
        body: {
          name,
          stages: [
            { name: stageName, conditions: [approval], action: { instructions: [{ ...add, values: [value] }] } },
          ],
        },
      })
    const { stages } = await post('Tidy', 'Clean', 'ann')
    await post('Open', 'Invite', 'bob')
    await served.api.deleteApprovalRequest({ id: stages[0]?.conditions[0]?.approvalRequestId ?? '' })
    await served.engine.runDueTasks()
    const instructions = [{ ...add, values: ['cleo'] }]
    await served.api.patchFlag({
      projectKey: 'shop',
      flagKey: 'menu',
      body: { environmentKey: 'production', instructions },
    })
    await open('/shop/production/features/menu?tab=workflows', 'Menu')
    await page.getByText('It failed: The approval request of the stage was deleted').waitFor()
    await page.getByText('Stage 1: Clean · failed').waitFor()
    await page.getByText('Stage 1: Invite could not be applied now: targets has changed').waitFor()
  },
)

it('the console creates a template from stages that a person enters', slow, async () => {
  await signIn(await served.member('Kim', 'admin'))
  await open('/shop/production/features/banner?tab=workflows', 'Banner')
  await page.getByRole('button', { name: 'Create a template' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name', { exact: true }).fill('Careful start')
  await form.getByLabel('Name of the stage').fill('Ask')
  await form.getByRole('button', { name: 'Add a condition' }).click()
  await form.getByLabel('Condition 1').selectOption({ label: 'Approval' })
  await form.getByLabel('Text for reviewers').fill('Ready?')
  await form.getByRole('group', { name: 'Members to notify' }).getByLabel('Kim Tester').check()
  await form.getByRole('button', { name: 'Add an action' }).click()
  await form.getByLabel('Action 2').selectOption({ label: 'Other instructions' })
  expect(await form.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await form.getByLabel('Action 2').selectOption({ label: 'Change the off variation' })
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The template is saved.').waitFor()
  const { items } = await served.api.getWorkflowTemplates({})
  const [variation] = (await served.api.getFlag(bannerKeys)).variations
  expect(items.find(({ _key }) => _key === 'careful-start')).toMatchObject({
    name: 'Careful start',
    stages: [
      {
        name: 'Ask',
        conditions: [{ kind: 'ld-approval', description: 'Ready?', notifyMemberIds: [await idOf('Kim')] }],
        action: { instructions: [{ kind: 'turnFlagOn' }, { kind: 'updateOffVariation', variationId: variation?._id }] },
      },
    ],
  })
  expect((await served.api.getWorkflows(bannerKeys)).items).toEqual([])
  await served.api.deleteWorkflowTemplate({ templateKey: 'careful-start' })
})

it('the console saves a workflow as a template, and creates a workflow of another flag from it', slow, async () => {
  await signIn(await served.member('Gil', 'admin'))
  await open('/shop/production/features/search?tab=workflows', 'Better search')
  await page.getByRole('button', { name: 'Save as a template' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Weekend')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The template is saved.').waitFor()

  const { form, create } = await openWorkflowForm('Weekend off')
  await form.getByLabel('Stages').selectOption({ label: 'From the template Weekend' })
  await form.getByText('at a date that each workflow has').waitFor()
  await form.getByLabel('Stage 2: date of condition 1').fill('2099-01-31T10:30')
  const { variations } = await served.api.getFlag(bannerKeys)
  const variation = form.getByLabel('Stage 2: update fallthrough variation or rollout, variationId')
  // The template names a variation of the flag from which it was made. This flag has a variation with the same value.
  expect(await variation.inputValue()).toBe(variations.find(({ value }) => value === false)?._id)
  await variation.selectOption({ label: 'Choose a variation' })
  expect(await variation.evaluate((field: HTMLSelectElement) => field.validity.valid)).toBe(false)
  await variation.selectOption({ label: 'true' })
  const executionDate = await page.evaluate(() => String(new Date('2099-01-31T10:30').getTime()))
  const workflow = await create()
  expect(workflow).toMatchObject({
    templateKey: 'weekend',
    stages: [
      { name: 'Off', action: { instructions: [{ kind: 'turnFlagOff' }] } },
      {
        conditions: [{ executionDate }, { kind: 'ld-approval' }],
        action: {
          instructions: [{ kind: 'turnFlagOn' }, { variationId: variations.find(({ value }) => value === true)?._id }],
        },
      },
    ],
  })

  await open('/-/workflow-templates', 'Workflow templates')
  const row = page.getByRole('row', { name: 'Weekend' })
  await row.getByText('2 stages').click()
  await row.getByText('after 1 day').waitFor()
  await row.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await row.waitFor({ state: 'detached' })
  expect((await served.api.getWorkflowTemplates({})).items.map(({ _key }) => _key)).toEqual(['night'])
})

it('in a large account, the console finds the members of a choice by their names', slow, async () => {
  await signIn(await served.member('Zed', 'admin'))
  const emails = Array.from({ length: 110 }, (_, n) => `member-${n}@example.com`)
  for (const part of [emails.slice(0, 50), emails.slice(50, 100), emails.slice(100)])
    await served.api.createMembers({ body: part.map((email) => ({ email })) })
  const zoe = await served.member('Zoe', 'admin')
  const { totalCount } = await served.api.listMembers({ limit: 1 })
  expect(totalCount).toBeGreaterThan(100)
  await open('/shop/production/features/banner?tab=settings', 'Banner')
  const maintainer = page.getByLabel('Maintainer')
  await page.getByLabel('Search members').fill('zoe')
  await expect.poll(() => maintainer.locator('option').allTextContents()).toContain('zoe@example.com')
  await maintainer.selectOption({ label: 'zoe@example.com' })
  await page.getByLabel('Search members').fill('')
  await expect.poll(() => maintainer.locator('option').allTextContents()).toContain('member-10@example.com')
  // The name of a member outside the listed ones is read by its id.
  await expect.poll(() => maintainer.locator('option:checked').textContent()).toBe('zoe@example.com')
  await page.getByRole('button', { name: 'Review the change' }).click()
  const review = page.getByRole('dialog', { name: 'What this change does' })
  await review.getByLabel('When').selectOption('request')
  await review.getByLabel('Why is this change needed?').fill('Zoe knows it')
  await review.getByLabel('Search members').fill('zoe')
  await review.getByLabel('Zoe Tester').check()
  await review.getByLabel('Search members').fill('member-7')
  await review.getByLabel('member-77@example.com').waitFor()
  expect(await review.getByLabel('Zoe Tester').isChecked()).toBe(true)
  await review.getByRole('button', { name: 'Ask for approval' }).click()
  await page.getByText('The approval request is created.').waitFor()
  const { items } = await served.api.listApprovalRequests({})
  const request = items.find(({ description }) => description === 'Zoe knows it')
  expect(request).toMatchObject({ notifyMemberIds: [zoe] })
  await served.api.reviewApprovalRequest({ id: request?._id ?? '', body: { kind: 'comment', comment: 'Fine' } })
  await open('/-/approvals', 'Approval requests')
  await page.getByText('Requested by Zed Tester').first().waitFor()
})
