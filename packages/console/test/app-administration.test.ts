import { createFetchHandler, withSdk } from '@halyard/transport-fetch'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectRefusals, openAppForEachTest, page, returnToTab, served, signIn, signInAs } from './app-in-browser.ts'
import { openLoaded } from './app-pages.ts'

openAppForEachTest()

const dayMs = 86_400_000

/** Timeout of tests that use many pages one after the other, which is slow on a busy machine. */
const slow = { timeout: 120_000 }

it('the console creates a token by keyboard alone, and shows its value once', slow, async () => {
  await signIn(await served.member('Ann', 'admin'))
  await openLoaded('/-/tokens')
  await page.getByRole('button', { name: 'Create a service token' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByLabel('Name').focus()
  await page.keyboard.type('Nightly job')
  await page.keyboard.press('Enter')
  const tokenRegion = page.getByRole('region', { name: 'The token Nightly job' })
  await tokenRegion.waitFor()
  const value = (await tokenRegion.locator('pre').textContent()) ?? ''
  const { items } = await served.engine.as(value).listProjects({})
  expect(items.map(({ key }) => key)).toEqual(['shop'])
  await openLoaded('/-/roles')
  await openLoaded('/-/tokens')
  await page.getByRole('rowheader', { name: 'Nightly job' }).waitFor()
  expect(await page.content()).not.toContain(value)
})

it('the console creates an SDK key with an expiry, changes the expiry, and deletes the key', slow, async () => {
  await signIn(await served.member('Kim', 'admin'))
  await openLoaded('/shop/production/sdk-keys')
  await page.getByRole('button', { name: 'Create an SDK key' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Checkout service')
  await page.getByRole('dialog').getByLabel('Expires').fill('2099-01-31T10:30')
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  const row = page.getByRole('row', { name: 'Checkout service' })
  await row.locator('time').waitFor()
  expect(await row.getByText('expired').count()).toBe(0)
  const value = (await row.locator('code').nth(1).textContent()) ?? ''
  const stored = async () => {
    const keys = { projectKey: 'shop', environmentKey: 'production', sdkKeyKey: 'checkout-service' }
    const { expiry } = await served.api.getSdkKeyByKey(keys)
    return expiry === undefined ? undefined : Number(expiry)
  }
  const localTime = (text: string) => page.evaluate((local) => new Date(local).getTime(), text)
  expect(await stored()).toBe(await localTime('2099-01-31T10:30'))
  const sdk = withSdk(createFetchHandler(served.engine), served.engine)
  const request = () => new Request('http://localhost/sdk/latest-all', { headers: { authorization: value } })
  const { status: before } = await sdk(request())
  const field = page.getByRole('dialog').getByLabel('Expires')
  const changeExpiry = async (until: string) => {
    await row.getByRole('button', { name: 'Change the expiry' }).click()
    const secret = await field.inputValue()
    await field.fill(until)
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await field.waitFor({ state: 'detached' })
    return secret
  }
  expect(await changeExpiry('2020-02-03T04:05')).toBe('2099-01-31T10:30')
  await row.getByText('expired').waitFor()
  expect(await stored()).toBe(await localTime('2020-02-03T04:05'))
  expect((await sdk(request())).status).toBe(401)
  expect(await changeExpiry('')).toBe('2020-02-03T04:05')
  await row.getByText('never').waitFor()
  expect(await stored()).toBe(undefined)
  await row.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await row.waitFor({ state: 'detached' })
  expect([before, (await sdk(request())).status]).toEqual([200, 401])
})

it(
  'the console reports that another person changed the expiry of an SDK key first, and keeps that expiry',
  slow,
  async () => {
    const keys = { projectKey: 'shop', environmentKey: 'production', sdkKeyKey: 'nightly' }
    await signIn(await served.member('Moe', 'admin'))
    await openLoaded('/shop/production/sdk-keys')
    await page.getByRole('row', { name: 'Nightly job' }).getByRole('button', { name: 'Change the expiry' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Expires').fill('2099-01-31T10:30')
    await served.api.patchSdkKeyByKey({ ...keys, body: { expiry: 3_900_000_000_000 } })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').waitFor()
    expectRefusals(409)
    expect((await served.api.getSdkKeyByKey(keys)).expiry).toBe('3900000000000')
  },
)

it('the console resets the default SDK key, and the old key works until the chosen time', slow, async () => {
  const environment = { projectKey: 'shop', environmentKey: 'test' }
  await signIn(await served.member('Lou', 'admin'))
  await openLoaded('/shop/test/sdk-keys')
  const sdk = withSdk(createFetchHandler(served.engine), served.engine)
  const statusWith = async (authorization: string) =>
    (await sdk(new Request('http://localhost/sdk/latest-all', { headers: { authorization } }))).status
  const dialog = page.getByRole('dialog')
  const reset = async (name: string, until?: string) => {
    await page.getByRole('row', { name }).getByRole('button', { name: 'Reset' }).click()
    if (until) await dialog.getByLabel('The present key works until').fill(until)
    await dialog.getByRole('button', { name: 'Reset' }).click()
    await dialog.waitFor({ state: 'detached' })
    return served.api.getEnvironment(environment)
  }
  const first = await served.api.getEnvironment(environment)
  const second = await reset('Default SDK key', '2099-01-31T10:30')
  expect([await statusWith(first.apiKey), await statusWith(second.apiKey)]).toEqual([200, 200])
  const third = await reset('Default SDK key')
  expect([await statusWith(second.apiKey), await statusWith(third.apiKey)]).toEqual([401, 200])
  expect((await reset('Default mobile key')).mobileKey).not.toBe(first.mobileKey)
})

/** Returns the names of the environments that a relay with a key receives, or the status of the refusal. */
async function servedEnvironments(key: string): Promise<readonly string[] | number> {
  const sdk = withSdk(createFetchHandler(served.engine), served.engine)
  const response = await sdk(new Request('http://localhost/relay_auto_config', { headers: { authorization: key } }))
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const text = (await reader?.read())?.value ?? ''
  await reader?.cancel()
  return response.status === 200
    ? [...text.matchAll(/"envName":"([^"]+)"/g)].map(([, name = '']) => name).toSorted()
    : response.status
}

const relayNamed = async (wanted: string) =>
  (await served.api.getRelayProxyConfigs()).items.find(({ name }) => name === wanted)

it('the console creates a relay, shows what its policy selects, and resets its key', slow, async () => {
  await served.api.patchEnvironment({
    projectKey: 'shop',
    environmentKey: 'test',
    body: [{ op: 'add', path: '/tags', value: ['lab'] }],
  })
  await signIn(await served.member('Max', 'admin'))
  await openLoaded('/-/relays')
  await page.getByRole('button', { name: 'Create a relay' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Asia')
  const selected = dialog.getByRole('listitem')
  await selected.getByText('Shop: Production').waitFor()
  expect(await selected.count()).toBe(1)
  await dialog.getByLabel('Policy').fill('[{"effect": "maybe"}]')
  await dialog.getByRole('heading', { name: 'What is invalid' }).waitFor()
  expect(await dialog.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true)
  const policy = [{ effect: 'allow', resources: ['proj/*:env/*'], actions: ['*'] }]
  await dialog.getByLabel('Policy').fill(JSON.stringify(policy))
  await selected.getByText('Shop: Test').waitFor()
  await dialog.getByRole('button', { name: 'Create' }).click()
  const created = page.getByRole('region', { name: 'The key of Asia' }).locator('pre')
  const key = (await created.textContent()) ?? ''
  expect(await servedEnvironments(key)).toEqual(['Production', 'Test'])

  await page.getByRole('link', { name: 'Asia' }).click()
  await page.getByRole('heading', { level: 1, name: 'Asia' }).waitFor()
  expect(await page.content()).not.toContain(key)
  await page.getByRole('button', { name: 'Change the name' }).click()
  await dialog.getByLabel('Name').fill('Asia 2')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'Asia 2' }).waitFor()
  const test = [{ effect: 'allow', resources: ['proj/*:env/test'], actions: ['viewSdkKey'] }]
  await page.getByLabel('Policy').fill(JSON.stringify(test))
  await page.getByText('Shop: Production').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save the policy' }).click()
  await page.getByText('The policy is saved.').waitFor()
  expect(await servedEnvironments(key)).toEqual(['Test'])
  // Tags and properties of the environments also affect the result. The second change begins with the result of the
  // first.
  const listItems = page.locator('main li')
  for (const [resource, name] of [
    ['proj/*:env/*;{critical:true}', 'Shop: Production'],
    ['proj/*:env/*;lab', 'Shop: Test'],
  ] as const) {
    const statements = [{ effect: 'allow', resources: [resource], actions: ['*'] }]
    await page.getByLabel('Policy').fill(JSON.stringify(statements))
    await expect.poll(() => listItems.allTextContents()).toEqual([expect.stringContaining(name)])
  }
  await page.getByRole('button', { name: 'Save the policy' }).click()
  await expect.poll(async () => (await relayNamed('Asia 2'))?.policy[0]?.resources).toEqual(['proj/*:env/*;lab'])
  expect(await servedEnvironments(key)).toEqual(['Test'])

  const reset = async (until?: string) => {
    await page.getByRole('button', { name: 'Reset the key' }).click()
    if (until) await dialog.getByLabel('The present key works until').fill(until)
    const replaced = page.getByRole('region', { name: 'The key of Asia 2' }).locator('pre')
    const before = (await replaced.count()) > 0 ? await replaced.textContent() : null
    await dialog.getByRole('button', { name: 'Reset the key' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await replaced.textContent()).not.toBe(before)
    return (await replaced.textContent()) ?? ''
  }
  const second = await reset('2099-01-31T10:30')
  expect([await servedEnvironments(key), await servedEnvironments(second)]).toEqual([['Test'], ['Test']])
  const third = await reset()
  expect([await servedEnvironments(second), await servedEnvironments(third)]).toEqual([401, ['Test']])
  await page.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { level: 1, name: 'Relays' }).waitFor()
  expect(await servedEnvironments(third)).toBe(401)
  await page.getByRole('link', { name: 'Europe' }).waitFor()
  expect(await page.getByRole('link', { name: 'Asia 2' }).count()).toBe(0)
})

it(
  'the console warns a person who may not view the SDK key of an environment that the policy selects',
  slow,
  async () => {
    const allow = (resources: string[], actions: string[]) => ({ effect: 'allow' as const, resources, actions })
    await signInAs({
      service: 'relay-operator',
      inlinePolicy: [
        allow(['proj/*'], ['viewProject']),
        allow(['proj/*:env/test'], ['viewSdkKey']),
        allow(['relay-proxy-config/*'], ['*']),
      ],
    })
    await openLoaded(`/-/relays/${served.keys.relay}`)
    await page.getByLabel('Policy').fill(JSON.stringify([allow(['proj/*:env/*'], ['*'])]))
    const selected = page.locator('main li')
    expect(await selected.filter({ hasText: 'Shop' }).count()).toBe(2)
    const warned = selected.filter({ hasText: 'You may not view its SDK key' })
    await warned.waitFor()
    expect(await warned.allTextContents()).toEqual([expect.stringMatching(/^Shop: Production/)])
  },
)

it('the console does not overwrite the policy of a relay that another person saved first', slow, async () => {
  const { relay: id = '' } = served.keys
  await signIn(await served.member('Nora', 'admin'))
  await openLoaded(`/-/relays/${id}`)
  const theirs = [{ effect: 'allow' as const, resources: ['proj/*:env/test'], actions: ['viewSdkKey'] }]
  await served.api.patchRelayAutoConfig({ id, body: [{ op: 'replace', path: '/policy', value: theirs }] })
  await page.getByLabel('Policy').fill('[]')
  await page.getByRole('button', { name: 'Save the policy' }).click()
  await page.getByRole('alert').waitFor()
  expectRefusals(409)
  expect((await served.api.getRelayProxyConfig({ id })).policy).toEqual(theirs)
})

it(
  'the console limits sessions to the IP allowlist, and explains when a change would lock the person out',
  slow,
  async () => {
    await signIn(await served.member('Lea', 'admin'))
    await openLoaded('/-/ip-allowlist')
    await page.getByText('Your requests come from 127.0.0.1.').waitFor()
    const dialog = page.getByRole('dialog')
    const confirm = async (row: Locator, label: string) => {
      await row.getByRole('button', { name: label }).click()
      await dialog.getByRole('button', { name: label }).click()
    }
    const expectLockOut = async () => {
      await dialog.getByText('no entry would contain 127.0.0.1, the address of your requests').waitFor()
      expectRefusals(400)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
    }
    const sessions = page.getByRole('row', { name: 'A session yours' })
    await confirm(sessions, 'Turn on')
    await expectLockOut()
    await page.getByRole('button', { name: 'Add an entry' }).click()
    await dialog.getByLabel('Address or range').fill('127.0.0.0/8')
    await dialog.getByLabel('Description').fill('This machine')
    await dialog.getByRole('button', { name: 'Add' }).click()
    const entry = page.getByRole('row', { name: '127.0.0.0/8' })
    await entry.getByText('This machine').waitFor()
    await confirm(sessions, 'Turn on')
    await sessions.getByText('only from the list').waitFor()
    await confirm(entry, 'Delete')
    await expectLockOut()
    await entry.getByRole('button', { name: 'Change the description' }).click()
    await dialog.getByLabel('Description').fill('Here')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await entry.getByText('Here').waitFor()
    const office = { ipAddress: '198.51.100.0/24', description: 'Office' }
    expect(await served.api.getIpAllowlist({})).toMatchObject({
      sessionAllowlistEnabled: true,
      apiTokenAllowlistEnabled: false,
      entries: [office, { ipAddress: '127.0.0.0/8', description: 'Here' }],
    })
    await confirm(sessions, 'Turn off')
    await sessions.getByText('from everywhere').waitFor()
    await confirm(entry, 'Delete')
    await entry.waitFor({ state: 'detached' })
    expect(await served.api.getIpAllowlist({})).toMatchObject({ sessionAllowlistEnabled: false, entries: [office] })
  },
)

it('the console invites a member by a link, which is shown once', slow, async () => {
  await signIn(await served.member('Bea', 'admin'))
  await openLoaded('/-/members')
  await page.getByRole('button', { name: 'Invite a member' }).click()
  await page.getByLabel('E-mail address').fill('cleo@example.com')
  await page.getByLabel('Role', { exact: true }).selectOption('writer')
  await page.getByRole('dialog').getByRole('button', { name: 'Invite a member' }).click()
  const link = await page.getByRole('region', { name: 'cleo@example.com joins' }).locator('pre').textContent()
  expect(link).toMatch(new RegExp(`^${served.origin}/invitation#`))
  const { items } = await served.api.listMembers({ limit: 100 })
  expect(items.find(({ email }) => email === 'cleo@example.com')).toMatchObject({
    role: 'writer',
    _pendingInvite: true,
  })
})

it('the console finds mistakes in a policy, explains its decisions, and saves it', slow, async () => {
  await signIn(await served.member('Cora', 'admin'))
  await openLoaded('/-/roles/tester')
  const statements = page.getByLabel('Statements')
  await statements.fill(
    '[{"effect": "allow", "resources": ["proj/shop:env/test:flag/*"], "actions": ["updateOn", "updateOn"]}]',
  )
  await page.getByText('repeats').first().waitFor()
  await statements.fill('[{"effect": "maybe"}]')
  await page.getByRole('heading', { name: 'What is invalid' }).waitFor()
  expect(await page.getByRole('button', { name: 'Save the policy' }).isDisabled()).toBe(true)
  const policy = [
    { effect: 'allow', resources: ['proj/shop:env/*:flag/*'], actions: ['updateOn'] },
    { effect: 'deny', resources: ['proj/shop:env/production:flag/*'], actions: ['updateOn'] },
  ]
  await statements.fill(JSON.stringify(policy))
  await page.getByLabel('Questions').fill('updateOn proj/shop:env/test:flag/search')
  await page.getByText('allowed', { exact: true }).waitFor()
  await page.getByText('2: {"effect":"deny"').waitFor()
  await page.getByRole('button', { name: 'Save the policy' }).click()
  await page.getByText('The policy is saved.').waitFor()
  expect((await served.api.getRole({ roleKey: 'tester' })).policy).toMatchObject(policy)
})

it('the console does not overwrite a policy that another person saved first', slow, async () => {
  await signIn(await served.member('Dora', 'admin'))
  await openLoaded('/-/roles/tester')
  const theirs = [{ effect: 'allow' as const, resources: ['proj/*'], actions: ['viewProject'] }]
  await served.api.patchRole({ roleKey: 'tester', body: [{ op: 'replace', path: '/policy', value: theirs }] })
  await page.getByLabel('Statements').fill('[]')
  await page.getByRole('button', { name: 'Save the policy' }).click()
  await page.getByRole('alert').waitFor()
  expectRefusals(409)
  expect((await served.api.getRole({ roleKey: 'tester' })).policy).toMatchObject(theirs)
})

it('the console starts, holds and resumes a phase of a release', slow, async () => {
  await signIn(await served.member('Eve', 'admin'))
  await openLoaded('/shop/production/releases')
  const steps = [
    ['Start', 'Started'],
    ['Hold', 'Paused'],
    ['Resume', 'Started'],
    ['Complete', 'Complete'],
  ] as const
  for (const [label, status] of steps) {
    await page.getByRole('button', { name: label, exact: true }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: label, exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const { phases } = await served.api.getRelease({ projectKey: 'shop', flagKey: 'banner' })
    expect(phases[0]?.status).toBe(status)
  }
})

it(
  'the console shows the steps of a funnel and the results of a holdout with the figures of the API',
  slow,
  async () => {
    await signIn(await served.member('Fay', 'reader'))
    const place = { projectKey: 'shop', environmentKey: 'production' }
    const { metricGroups } = await served.api.getExperimentAnalysis({ ...place, experimentKey: 'price' })
    const [funnel] = metricGroups
    await openLoaded('/shop/production/experiments/price')
    const rows = page.getByRole('table', { name: 'Funnel Purchase' }).getByRole('row')
    const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 })
    const steps = [...(funnel?.metrics ?? []), { ...funnel?.completion, name: 'All steps' }]
    expect(await rows.allInnerTexts()).toEqual(
      [
        ['Step', 'New page', 'Old page'],
        ...steps.map(({ name, treatments = [] }) => [
          name,
          ...treatments.map(({ value = 0, units }) => `${percent.format(value)} of ${units}`),
        ]),
      ].map((cells) => cells.join('\t')),
    )
    const { metrics } = await served.api.getHoldoutResults({ ...place, holdoutKey: 'calm' })
    await openLoaded('/shop/production/experiments')
    const resultsTable = page.getByRole('table', { name: 'Results of the holdout Calm quarter' })
    for (const { treatmentName, units } of metrics[0]?.treatments ?? []) {
      await resultsTable.getByRole('row', { name: `Paid ${treatmentName} ${units}` }).waitFor()
    }
    await page.getByRole('img', { name: 'Differences of all other contexts from the holdout Calm quarter' }).waitFor()
  },
)

it(
  'the console shows the results of an experiment and of a holdout by each value of an attribute, with the figures of the API',
  slow,
  async () => {
    await signIn(await served.member('Hal', 'reader'))
    const place = { projectKey: 'shop', environmentKey: 'production' }
    const { attributes } = await served.api.getExperimentAnalysis({ ...place, experimentKey: 'price' })
    expect(attributes.map(({ attribute, values }) => [attribute, values.map(({ value }) => value).toSorted()])).toEqual(
      [['plan', ['free', 'pro']]],
    )
    await openLoaded('/shop/production/experiments/price')
    const table = page.getByRole('table', { name: 'Price page: Results by plan' })
    for (const { value, metrics } of attributes[0]?.values ?? []) {
      for (const { name, treatments } of metrics)
        for (const { treatmentName, units } of treatments)
          await table.getByRole('row', { name: `${value} ${name} ${treatmentName} ${units}` }).waitFor()
    }
    const chart = page.getByRole('img', { name: 'Paid: differences from the control by plan' })
    for (const value of ['free', 'pro']) await chart.getByText(value, { exact: true }).waitFor()
    const holdout = await served.api.getHoldoutResults({ ...place, holdoutKey: 'calm' })
    await openLoaded('/shop/production/experiments')
    const resultsTable = page.getByRole('table', { name: 'Calm quarter: Results by plan' })
    for (const { value, metrics } of holdout.attributes[0]?.values ?? [])
      for (const { treatmentName, units } of metrics[0]?.treatments ?? [])
        await resultsTable.getByRole('row', { name: `${value} Paid ${treatmentName} ${units}` }).waitFor()
  },
)

/** Starts a release of a new flag in two stages. Returns a function that changes the flag. */
async function startRelease(flagKey: string) {
  const body = { key: flagKey, name: flagKey }
  const { variations } = await served.api.createFlag({ projectKey: 'shop', body })
  const [shown = '', hidden = ''] = variations.map(({ _id }) => _id)
  const change = (...instructions: object[]) =>
    served.api.patchFlag({
      projectKey: 'shop',
      flagKey,
      body: { environmentKey: 'production', instructions: instructions as never },
    })
  await change(
    { kind: 'turnFlagOn' },
    {
      kind: 'startAutomatedRelease',
      releaseKind: 'progressive',
      originalVariationId: hidden,
      targetVariationId: shown,
      stages: [
        { allocation: 10_000, durationMillis: dayMs },
        { allocation: 50_000, durationMillis: 2 * dayMs },
      ],
    },
  )
  return { change, hidden }
}

it(
  'the console shows the stages of a release, the time of the next step, why it is on hold, and that a manual change ended it',
  slow,
  async () => {
    const { change, hidden } = await startRelease('stock')
    await signIn(await served.member('Gil', 'reader'))
    const keys = { projectKey: 'shop', environmentKey: 'production', flagKey: 'stock' }
    const stages = page.getByRole('table', { name: 'Stages of the release of stock' }).getByRole('row')
    const release = async () => (await served.api.listAutomatedReleases(keys)).items[0]
    const timeOf = async (row: number, index: number) =>
      Date.parse((await stages.nth(row).locator('time').nth(index).getAttribute('datetime')) ?? '')
    await openLoaded('/shop/production/features/stock?tab=releases')
    await stages.filter({ hasText: '10 %' }).filter({ hasText: '24 hours' }).filter({ hasText: 'current' }).waitFor()
    await stages.filter({ hasText: '50 %' }).filter({ hasText: '48 hours' }).filter({ hasText: 'planned' }).waitFor()
    expect(await timeOf(1, 1)).toBe(Number((await release())?.nextStepAt))

    await change({ kind: 'holdAutomatedRelease' })
    await returnToTab()
    await page.getByText('Reason: a caller held it').waitFor()
    await stages.filter({ hasText: '10 %' }).filter({ hasText: 'held' }).waitFor()
    expect(await stages.nth(1).locator('time').count()).toBe(1)

    await change({ kind: 'updateFallthroughVariationOrRollout', variationId: hidden })
    await returnToTab()
    await page.getByText(/^Reason: .*its rule was changed by hand/).waitFor()
    await stages.filter({ hasText: '10 %' }).filter({ hasText: 'stopped' }).waitFor()
    await stages.filter({ hasText: '50 %' }).filter({ hasText: 'not reached' }).waitFor()
    expect(await timeOf(1, 1)).toBe(Number((await release())?.endedAt))
  },
)

it('the console draws the stages of a release over time, including planned stages', slow, async () => {
  await startRelease('drawn')
  await signIn(await served.member('Ida', 'reader'))
  await openLoaded('/shop/production/features/drawn?tab=releases')
  await page.getByText('Stages and metrics').click()
  const chart = page.getByRole('img', { name: 'Release of drawn' })
  for (const text of [/^10\s?%$/, /^current$/, /^50\s?%$/, /^planned$/]) await chart.getByText(text).first().waitFor()
})
