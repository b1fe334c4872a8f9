import { expect, it } from 'vitest'
import { open, openAppForEachTest, page, served, signIn } from './app-in-browser.ts'

openAppForEachTest()

/** Timeout of tests that use many pages one after the other, which is slow on a busy machine. */
const slow = { timeout: 120_000 }

const dayMs = 86_400_000

const production = { projectKey: 'shop', environmentKey: 'production' }

async function configOf(flagKey: string) {
  const flag = await served.api.getFlag({ projectKey: 'shop', flagKey })
  return flag.environments?.production
}

it(
  'a person creates a flag, rolls it out after the approval of a second person, and reverts the change',
  slow,
  async () => {
    const [ann, grace] = [await served.member('Ann', 'admin'), await served.member('Grace', 'admin')]
    await signIn(ann)
    await page.getByRole('button', { name: 'Create a flag' }).click()
    await page.getByLabel('Name').fill('Fast delivery')
    expect(await page.getByLabel('Key').inputValue()).toBe('fast-delivery')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Fast delivery' }).waitFor()

    await page.getByRole('switch', { name: 'The flag is on' }).click()
    await page.getByRole('button', { name: 'Add a rule' }).click()
    const rule = page.getByRole('group', { name: 'Rule 1' })
    await rule.getByLabel('Operator').selectOption('segmentMatch')
    await rule.getByLabel('Beta testers').check()
    await rule.getByLabel('then serve').selectOption({ label: 'A percentage rollout' })
    await rule.getByRole('spinbutton', { name: 'Share of true' }).fill('20')
    await page.getByRole('button', { name: 'Review the change' }).click()
    const review = page.getByRole('dialog', { name: 'What this change does' })
    await review.getByText('turned on Fast delivery in Production').waitFor()
    await review.getByText('added a rule to Fast delivery in Production').waitFor()
    await review.getByText('No approval is needed.').waitFor()
    await review.getByLabel('When').selectOption('request')
    await review.getByLabel('Why is this change needed?').fill('Try it with a few')
    const inTwoDays = new Date(Date.now() + 2 * dayMs).toISOString().slice(0, 16)
    await review.getByLabel('Make the change at (optional)').fill(inTwoDays)
    await review.getByLabel('Grace Tester').check()
    await review.getByRole('button', { name: 'Ask for approval' }).click()
    await review.waitFor({ state: 'detached' })
    expect((await configOf('fast-delivery'))?.on).toBe(false)

    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(grace)
    await open('/-/approvals', 'Approval requests')
    await page.getByText('Try it with a few').waitFor()
    await page.getByText('What it does').click()
    await page.getByText('turned on Fast delivery in Production').waitFor()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await page.getByText('approve').first().waitFor()
    await page.getByRole('link', { name: 'Board' }).click()
    const row = page.getByRole('row', { name: /Fast delivery/ })
    await row.getByText('Approval request: Try it with a few').waitFor()
    await row.getByText('is applied').waitFor()
    expect((await configOf('fast-delivery'))?.on).toBe(false)

    await page.getByRole('link', { name: 'Approvals' }).click()
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect.poll(async () => (await configOf('fast-delivery'))?.on).toBe(true)
    const [stored] = (await configOf('fast-delivery'))?.rules ?? []
    expect(stored?.clauses[0]).toMatchObject({ op: 'segmentMatch', values: ['beta'] })
    expect(stored?.rollout?.variations.map(({ weight }) => weight)).toEqual([20_000, 80_000])

    await page.getByRole('link', { name: 'Change log' }).click()
    await page.getByRole('button', { name: /^Revert: .*turned on Fast delivery/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revert', exact: true }).click()
    await page.getByText('The change is reverted.').waitFor()
    await expect.poll(async () => (await configOf('fast-delivery'))?.on).toBe(false)

    await open('/shop/production/features/fast-delivery?tab=history', 'Fast delivery')
    const past = page.getByRole('region', { name: 'The flag as it was' })
    const state = past.getByRole('row', { name: /Production/ })
    await state.getByText('off', { exact: true }).waitFor()
    // The change before the last one had turned the flag on.
    await past.getByRole('slider', { name: 'After this change' }).press('ArrowLeft')
    await state.getByText('on', { exact: true }).waitFor()
    await past.getByRole('slider').press('Home')
    await past.getByText('created the flag Fast delivery').waitFor()
    await state.getByText('off', { exact: true }).waitFor()
  },
)

it(
  'the console lists releases, scheduled changes and other work in progress, with the next step and its time',
  slow,
  async () => {
    const flag = await served.api.createFlag({ projectKey: 'shop', body: { key: 'slow', name: 'Slow start' } })
    const [targetVariationId = '', originalVariationId = ''] = flag.variations.map(({ _id }) => _id)
    const kind = 'startAutomatedRelease' as const
    const stages = [10_000, 50_000].map((allocation) => ({ allocation, durationMillis: dayMs }))
    const guarded = { releaseKind: 'guarded' as const, metrics: [{ key: 'paid' }], stages }
    await served.api.patchFlag({
      projectKey: 'shop',
      flagKey: 'slow',
      body: {
        environmentKey: 'production',
        instructions: [{ kind: 'turnFlagOn' }, { kind, ...guarded, originalVariationId, targetVariationId }],
      },
    })
    const instructions = [{ kind: 'turnFlagOff' as const }]
    const slowFlag = { ...production, flagKey: 'slow' }
    await served.api.createScheduledChange({ ...slowFlag, body: { instructions, executionDate: 8_000_000_000_000 } })
    await served.api.createApprovalRequestForFlag({ ...slowFlag, body: { description: 'Too slow', instructions } })
    await signIn(await served.member('Bea', 'reader'))
    await open('/shop/production/board', 'Board')
    const cells = page.getByRole('table', { name: 'Board' }).getByRole('row', { name: /slow/i })
    await cells.first().waitFor()
    const rows = (await cells.all()).map((row) => row.getByRole('cell').allTextContents())
    const [request, release, change] = (await Promise.all(rows)).map((texts) => texts.slice(-3))
    expect(request).toEqual(['Approval request: Too slow', 'review', 'waits for a person'])
    expect(release?.slice(0, 2)).toEqual(['Guarded release, running at 10 %', 'serve 50 %'])
    expect(change?.slice(0, 2)).toEqual(['Scheduled change', 'turn flag off'])
    expect(change?.[2]).toContain('2223')
    await open('/shop/test/board', 'Board')
    await page
      .getByRole('row', { name: /Banner/ })
      .getByText('Usual, phase Testing: ready to start')
      .waitFor()
    expect(await page.getByRole('row', { name: /slow/i }).count()).toBe(0)
  },
)

it(
  'the console shows the effect of an approval request for a list of changes, and which contexts would get another variation',
  slow,
  async () => {
    const evaluator = await served.engine.evaluator(production)
    for (const key of ['dora', 'emil']) evaluator.evaluate('banner', { kind: 'user', key }, false)
    const banner = { operation: 'patchFlag', parameters: { projectKey: 'shop', flagKey: 'banner' } }
    const body = { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] }
    const instructions = [{ kind: 'applyChange', ...banner, body }]
    await served.api.createApprovalRequest({ body: { resourceId: 'proj/shop', description: 'Show it', instructions } })
    await signIn(await served.member('Lea', 'admin'))
    await open('/-/approvals', 'Approval requests')
    const entry = page.getByRole('listitem').filter({ hasText: 'Show it' })
    await entry.getByText('What it does').click()
    await entry.getByText(/^Banner in production: (\d+) of \1 contexts get another variation$/).waitFor()
    await entry.getByText('dora: false becomes true').first().waitFor()
  },
)

it('the console schedules a change, lists it, and deletes it', slow, async () => {
  await signIn(await served.member('Sam', 'admin'))
  await open('/shop/production/features/checkout', 'New checkout')
  await page.getByRole('switch', { name: 'The flag is on' }).click()
  await page.getByRole('button', { name: 'Review the change' }).click()
  await page.getByLabel('When').selectOption('schedule')
  await page.getByLabel('Date and time').fill('2099-01-02T03:04')
  await page.getByRole('button', { name: 'Schedule the change' }).click()
  await page.getByText('The change is scheduled.').waitFor()
  const list = () => served.api.listScheduledChanges({ ...production, flagKey: 'checkout' })
  expect((await list()).items.map(({ instructions }) => instructions)).toEqual([[{ kind: 'turnFlagOn' }]])
  await page.getByRole('link', { name: 'Pending changes' }).click()
  await page.getByRole('button', { name: 'Delete the scheduled change' }).click()
  await page.getByText('There are no pending changes.').waitFor()
  expect((await list()).items).toEqual([])
})

it('the console shows the change of another person without a reload, and merges it with an edit', slow, async () => {
  await signIn(await served.member('Mia', 'admin'))
  await open('/shop/production/features/banner', 'Banner')
  await page.getByRole('switch', { name: 'The flag is on' }).click()
  await served.api.patchFlag({
    projectKey: 'shop',
    flagKey: 'banner',
    body: [{ op: 'replace', path: '/environments/production/offVariation', value: 0 }],
  })
  await page.getByText('Both changes are kept.').waitFor()
  await page.getByRole('button', { name: 'Review the change' }).click()
  await page.getByRole('button', { name: 'Save the change' }).click()
  await page.getByText('The change is saved.').waitFor()
  expect(await configOf('banner')).toMatchObject({ on: true, offVariation: 0 })
})

it(
  'the console shows the three versions of a part that two people changed, and saves the chosen one',
  slow,
  async () => {
    await signIn(await served.member('Ned', 'admin'))
    await open('/shop/test/features/banner', 'Banner')
    await page.getByRole('group', { name: 'Default rule' }).getByRole('combobox').selectOption({ label: 'false' })
    await served.api.patchFlag({
      projectKey: 'shop',
      flagKey: 'banner',
      body: [
        {
          op: 'replace',
          path: '/environments/test/fallthrough',
          value: {
            rollout: {
              variations: [
                { variation: 0, weight: 50_000 },
                { variation: 1, weight: 50_000 },
              ],
            },
          },
        },
      ],
    })
    const dialog = page.getByRole('dialog', { name: 'Another person changed the same parts' })
    await dialog.getByText('Theirs', { exact: true }).waitFor()
    await dialog.getByText('50000').first().waitFor()
    await dialog.getByLabel('Keep yours: default rule').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Review the change' }).click()
    await page.getByRole('button', { name: 'Save the change' }).click()
    await page.getByText('The change is saved.').waitFor()
    const { environments } = await served.api.getFlag({ projectKey: 'shop', flagKey: 'banner' })
    expect(environments?.test?.fallthrough).toEqual({ variation: 1 })
  },
)

it(
  'the console reviews a change of an AI config, merges a change of another person, and requests approval',
  slow,
  async () => {
    await signIn(await served.member('Ada', 'admin'))
    await open('/shop/production/ai-configs/helper', 'Helper')
    const config = { projectKey: 'shop', configKey: 'helper' }
    const targetingOf = async () => (await served.api.getAIConfigTargeting(config)).environments.production
    expect((await targetingOf())?.enabled).toBe(false)
    await page.getByRole('switch', { name: 'The AI config is on' }).click()
    const { variations } = await served.api.getAIConfigTargeting(config)
    const target = { kind: 'addTargets' as const, variationId: variations[0]?._id ?? '', values: ['cleo'] }
    await served.api.patchAIConfigTargeting({
      ...config,
      body: { environmentKey: 'production', instructions: [{ ...target, contextKind: 'user' }] },
    })
    await page.getByText('Both changes are kept.').waitFor()
    await page.getByRole('button', { name: 'Review the change' }).click()
    const review = page.getByRole('dialog', { name: 'What this change does' })
    await review.getByText('No approval is needed.').waitFor()
    await review.getByLabel('When').selectOption('request')
    await review.getByLabel('Why is this change needed?').fill('Answer everyone')
    await review.getByRole('button', { name: 'Ask for approval' }).click()
    await page.getByText('The approval request is created.').waitFor()
    const { items } = await served.api.listApprovalRequests({})
    expect(items.find(({ description }) => description === 'Answer everyone')).toMatchObject({
      resourceId: 'proj/shop:env/production:aiconfig/helper',
      instructions: [{ kind: 'turnFlagOn' }],
    })
    expect(await targetingOf()).toMatchObject({ enabled: false, targets: [{ values: ['cleo'] }] })
  },
)

it(
  'the console explains which values a context gets, and compares the values before a change is saved',
  slow,
  async () => {
    await signIn(await served.member('Eve', 'admin'))
    await open('/shop/production/contexts', 'Who gets what, and why')
    await page.getByLabel('Key').fill('cleo')
    await page.getByLabel('Attributes').fill('{"email": "cleo@example.com"}')
    await page.getByRole('button', { name: 'Evaluate', exact: true }).click()
    await page.getByRole('button', { name: 'Why search?' }).click()
    await page.getByRole('dialog').getByText('flag search is on').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'checkout' }).click()
    await page.getByRole('switch', { name: 'The flag is on' }).click()
    await page.getByRole('button', { name: 'Review the change' }).click()
    await page.getByText('cleo: false becomes true').waitFor()
  },
)

it('the console finds a context that an SDK has reported, and explains the values that it gets', slow, async () => {
  await signIn(await served.member('Ivy', 'reader'))
  await open('/shop/production/contexts', 'Who gets what, and why')
  await page.getByLabel('Search contexts').fill('ver')
  await page
    .getByRole('row', { name: /vera@example\.com/ })
    .getByText('user', { exact: true })
    .waitFor()
  await page.getByLabel('Search contexts').fill('zoe')
  await page.getByText('No SDK has reported a context that matches.').waitFor()
  await page.getByLabel('Search contexts').fill('')
  await page.getByRole('button', { name: 'Evaluate vera' }).click()
  await page.getByRole('heading', { name: 'What vera gets in production' }).waitFor()
  expect(await page.getByLabel('Attributes').inputValue()).toBe('{"email":"vera@example.com"}')
  await page
    .getByRole('row', { name: /^checkout/ })
    .getByText('the flag is off')
    .waitFor()
})

it('the console changes the contexts of a segment, after a simulation', slow, async () => {
  await signIn(await served.member('Liv', 'admin'))
  await open('/shop/production/segments/beta', 'Beta testers')
  await page.getByRole('link', { name: 'Better search' }).waitFor()
  await page.getByRole('group', { name: 'Included', exact: true }).getByRole('textbox').fill('ann\nbob\nliv')
  await page.getByRole('button', { name: 'Review the change' }).click()
  await page.getByText('added the included target liv to Beta testers in Production').waitFor()
  await page.getByRole('button', { name: 'Save the change' }).click()
  await page.getByText('The change is saved.').waitFor()
  const { included } = await served.api.getSegment({ ...production, segmentKey: 'beta' })
  expect(included).toEqual(['ann', 'bob', 'liv'])
})

it('the console offers no actions to a reader, and explains which rights are missing', slow, async () => {
  await signIn(await served.member('Rea', 'reader'))
  expect(await page.getByRole('switch').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Create a flag' }).count()).toBe(0)
  await page.getByText('Create a flag: not allowed').click()
  await page.getByText('no role allows `createFlag`').waitFor()
})

it('the console reorders rules and goes to a flag by keyboard alone', slow, async () => {
  await signIn(await served.member('Kim', 'admin'))
  // The test types without pauses, because the palette receives each key, and Enter waits for the search.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('better')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Better search' }).waitFor()
  await page.getByRole('button', { name: 'Move Rule 2: Mail up' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Rule 2: Mail is now at position 1').waitFor()
  await page.getByRole('button', { name: 'Review the change' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('reordered the rules of Better search in Production').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})
