import type { BoundApi, Engine } from '@halyard/core'

/**
 * Fills an account with something on each page of the console.
 *
 * @param engine receives evaluations and events of the experiment.
 * @returns the parameters of addresses of pages, by their names.
 */
export async function fillAccount(api: BoundApi, engine: Engine): Promise<Readonly<Record<string, string>>> {
  const policy = [{ effect: 'allow' as const, resources: ['proj/shop:env/test:flag/*'], actions: ['updateOn'] }]
  await api.createRole({ body: { key: 'tester', name: 'Tester', policy } })
  const { items } = await api.createMembers({ body: [{ email: 'invited@example.com', customRoles: ['tester'] }] })
  const memberIDs = items.map(({ _id }) => _id)
  await api.createTeam({ body: { key: 'qa', name: 'Quality', customRoleKeys: ['tester'], memberIDs } })
  await api.createToken({ body: { name: 'Deployment', role: 'writer', serviceToken: true } })
  const webhook = await api.createWebhook({
    body: { name: 'Chat', url: 'https://chat.example.com/flags', on: true, sign: true, statements: policy },
  })
  await api.createDestination({
    projectKey: 'shop',
    environmentKey: 'production',
    body: { name: 'Warehouse', kind: 'http-ndjson', config: { url: 'https://data.example.com/events' }, on: true },
  })
  await api.createOAuthClient({ body: { name: 'Editor', redirectUri: 'https://editor.example.com/callback' } })
  const relay = await api.postRelayAutoConfig({
    body: {
      name: 'Europe',
      policy: [{ effect: 'allow', resources: ['proj/shop:env/production'], actions: ['viewSdkKey'] }],
    },
  })
  await api.createIpAllowlistEntry({ body: { ipAddress: '198.51.100.0/24', description: 'Office' } })
  await fillProject(api)
  await visit(engine)
  return {
    project: 'shop',
    environment: 'production',
    flag: 'search',
    segment: 'beta',
    experiment: 'price',
    config: 'helper',
    role: 'tester',
    webhook: webhook._id,
    relay: relay._id,
  }
}

/** Adds a release, an experiment that runs, and an AI config. */
async function fillProject(api: BoundApi): Promise<void> {
  const projectKey = 'shop'
  const audience = (environmentKey: string) => ({ environmentKey, name: 'Everyone' })
  await api.createReleasePipeline({
    projectKey,
    body: {
      key: 'usual',
      name: 'Usual',
      phases: [
        { name: 'Testing', audiences: [audience('test')] },
        { name: 'Production', audiences: [audience('production')] },
      ],
    },
  })
  await api.putRelease({ projectKey, flagKey: 'banner', body: { releasePipelineKey: 'usual' } })
  const stages = [{ allocation: 10_000, durationMillis: 86_400_000 }]
  await api.createReleasePolicy({
    projectKey,
    body: {
      key: 'careful',
      name: 'Careful',
      releaseMethod: 'progressive-release',
      scope: { flagTagKeys: ['careful'] },
      progressiveReleaseConfig: { stages },
    },
  })
  await api.postMetric({
    projectKey,
    body: { key: 'paid', name: 'Paid', kind: 'custom', eventKey: 'paid', isNumeric: false },
  })
  const link = { deepLink: 'https://tickets.example.com/7', title: 'Ticket 7' }
  await api.createFlagLink({ projectKey, flagKey: 'search', body: link })
  const environment = { projectKey, environmentKey: 'production' }
  await api.createSegment({ ...environment, body: { key: 'readers', name: 'Readers', unbounded: true } })
  await api.createBigSegmentImport({ ...environment, segmentKey: 'readers', body: { file: 'ann\nbob\n' } })
  const sdkKey = { key: 'nightly', name: 'Nightly job', expiry: 4_000_000_000_000 }
  await api.postSdkKey({ ...environment, body: sdkKey })
  const contexts = [{ kind: 'user', key: 'vera', email: 'vera@example.com' }]
  await api.createContextInstances({ ...environment, body: { contexts } })
  await fillExperiment(api, projectKey)
  await fillWorkflow(api)
  await api.createLayer({ projectKey, body: { key: 'pages', name: 'Pages', description: '' } })
  const model = { modelConfigKey: 'large' }
  await api.createModelConfig({ projectKey, body: { key: 'large', name: 'Large', id: 'large-1' } })
  const messages = [{ role: 'system', content: 'Answer briefly.' }]
  const defaultVariation = { key: 'short', name: 'Short', messages, ...model }
  await api.createAIConfig({ projectKey, body: { key: 'helper', name: 'Helper', defaultVariation } })
  await api.patchAIConfigVariation({
    projectKey,
    configKey: 'helper',
    variationKey: 'short',
    body: { messages: [{ role: 'system', content: 'Answer briefly.\nBe friendly.' }] },
  })
}

/** Adds a workflow that waits for its time, and a template of its stages. */
async function fillWorkflow(api: BoundApi): Promise<void> {
  const keys = { projectKey: 'shop', environmentKey: 'production', flagKey: 'search' }
  const { variations } = await api.getFlag(keys)
  const { _id: workflowId } = await api.postWorkflow({
    ...keys,
    body: {
      name: 'Quiet night',
      description: 'Off for maintenance',
      stages: [
        {
          name: 'Off',
          conditions: [{ kind: 'schedule', waitDuration: 1, waitDurationUnit: 'calendarDay' }],
          action: { instructions: [{ kind: 'turnFlagOff' }] },
        },
        {
          conditions: [
            { kind: 'schedule', executionDate: 4_000_000_000_000 },
            { kind: 'ld-approval', description: 'Is the maintenance over?' },
          ],
          executeConditionsInSequence: true,
          action: {
            instructions: [
              { kind: 'turnFlagOn' },
              { kind: 'updateFallthroughVariationOrRollout', variationId: variations[1]?._id ?? '' },
            ],
          },
        },
      ],
    },
  })
  await api.createWorkflowTemplate({ body: { ...keys, key: 'night', name: 'Night', workflowId } })
}

/** Adds a holdout with results, and an experiment with a funnel. */
async function fillExperiment(api: BoundApi, projectKey: string): Promise<void> {
  const holdout = await api.postHoldout({
    projectKey,
    environmentKey: 'production',
    body: {
      key: 'calm',
      name: 'Calm quarter',
      holdoutamount: '20',
      primarymetrickey: 'paid',
      metrics: [{ key: 'paid', isGroup: false, primary: true }],
      attributes: ['plan'],
    },
  })
  await api.postMetric({ projectKey, body: { key: 'saw', name: 'Saw', kind: 'custom', eventKey: 'saw' } })
  const steps = [
    { key: 'saw', nameInGroup: 'See the price' },
    { key: 'paid', nameInGroup: 'Pay' },
  ]
  await api.createMetricGroup({ projectKey, body: { key: 'path', name: 'Purchase', kind: 'funnel', metrics: steps } })
  const flag = await api.createFlag({ projectKey, body: { key: 'price', name: 'Price page' } })
  await api.patchFlag({
    projectKey,
    flagKey: 'price',
    body: [{ op: 'replace', path: '/environments/production/on', value: true }],
  })
  const environment = { projectKey, environmentKey: 'production' }
  const treatments = flag.variations.map(({ _id }, index) => ({
    name: ['New page', 'Old page'][index] ?? '',
    baseline: index === 1,
    allocationPercent: '50',
    parameters: [{ flagKey: 'price', variationId: _id }],
  }))
  const iteration = {
    hypothesis: 'The new page sells more',
    metrics: [
      { key: 'paid', isGroup: false },
      { key: 'path', isGroup: true },
    ],
    primarySingleMetricKey: 'paid',
    treatments,
    flags: { price: { ruleId: 'fallthrough', flagConfigVersion: 2 } },
    randomizationUnit: 'user',
    attributes: ['plan'],
  }
  await api.createExperiment({
    ...environment,
    body: { key: 'price', name: 'Price page', holdoutId: holdout._id, iteration },
  })
  await api.patchExperiment({
    ...environment,
    experimentKey: 'price',
    body: { instructions: [{ kind: 'startIteration' }] },
  })
}

/** Evaluates the flag of the experiment for visitors, some of whom pay. */
async function visit(engine: Engine): Promise<void> {
  const environment = { projectKey: 'shop', environmentKey: 'production' }
  const evaluator = engine.evaluator(environment)
  await evaluator.ready()
  for (let index = 0; index < 400; index++) {
    const visitor = { kind: 'user', key: `visitor-${index}`, plan: index % 3 === 0 ? 'pro' : 'free' }
    const { value } = evaluator.evaluate('price', visitor, false)
    if (index % 4 < 3) engine.track('saw', visitor, {}, environment)
    if (index % 10 < (value === true ? 4 : 2)) engine.track('paid', visitor, {}, environment)
  }
  await engine.sdk.flush()
}
