import type { ApiError, BoundApi, Engine } from '@halyard/core'
import { ignoreExisting } from './ignore-existing.ts'

const projectKey = 'demo'
const production = { projectKey, environmentKey: 'production' }
const hour = 3_600_000

/** Number of visitors in the experiment of the demo. */
const visitors = 2_000

/**
 * Adds work that is under way: a flag with a history, a release in stages, an experiment with results, and a change
 * that waits for approval. A run that was interrupted is completed by the next run.
 *
 * @param api operations for the owner of the demo account.
 */
export async function fillWork(engine: Engine, api: BoundApi): Promise<void> {
  await fillHistory(api)
  await fillRelease(api)
  await fillExperiment(engine, api)
  await fillAIConfig(api)
  await fillApproval(engine, api)
}

async function fillHistory(api: BoundApi): Promise<void> {
  const { environments } = await api.getFlag({ projectKey, flagKey: 'search-backend' })
  if ((environments?.production?.rules?.length ?? 0) > 1) return
  const nordic = { attribute: '', op: 'segmentMatch', values: ['nordic-customers'], negate: false }
  const serve = {
    rollout: {
      variations: [
        { variation: 0, weight: 75_000 },
        { variation: 1, weight: 25_000 },
      ],
    },
  }
  const changes = [
    ['Trace requests of one customer', '/environments/production/trackEvents', true],
    ['A quarter of the Nordic customers', '/environments/production/rules/-', { clauses: [nordic], ...serve }],
  ] as const
  for (const [comment, path, value] of changes) {
    const op = path.endsWith('-') ? ('add' as const) : ('replace' as const)
    await api.patchFlag({ projectKey, flagKey: 'search-backend', body: { comment, patch: [{ op, path, value }] } })
  }
}

async function newFlag(api: BoundApi, key: string, name: string): Promise<readonly string[]> {
  await ignoreExisting(api.createFlag({ projectKey, body: { key, name, tags: ['demo'] } }))
  await api.patchFlag({
    projectKey,
    flagKey: key,
    body: [{ op: 'replace', path: '/environments/production/on', value: true }],
  })
  return (await api.getFlag({ projectKey, flagKey: key })).variations.map(({ _id }) => _id)
}

async function fillRelease(api: BoundApi): Promise<void> {
  const phase = (environmentKey: string, name: string) => ({
    name,
    audiences: [{ environmentKey, name: 'Everyone' }],
  })
  const phases = [phase('test', 'Testing'), phase('production', 'Production')]
  await ignoreExisting(api.createReleasePipeline({ projectKey, body: { key: 'usual', name: 'Usual', phases } }))
  await newFlag(api, 'new-invoices', 'New invoices')
  await ignoreExisting(api.putRelease({ projectKey, flagKey: 'new-invoices', body: { releasePipelineKey: 'usual' } }))
  const [target = '', original = ''] = await newFlag(api, 'dark-theme', 'Dark theme')
  const keys = { ...production, flagKey: 'dark-theme' }
  if ((await api.listAutomatedReleases({ ...keys, limit: 1 })).totalCount > 0) return
  const start = {
    kind: 'startAutomatedRelease' as const,
    releaseKind: 'progressive' as const,
    originalVariationId: original,
    targetVariationId: target,
    stages: [10_000, 25_000, 50_000].map((allocation) => ({ allocation, durationMillis: 24 * hour })),
  }
  const body = { environmentKey: 'production', instructions: [start], comment: 'Ten percent a day at first' }
  await api.patchFlag({ projectKey, flagKey: 'dark-theme', body })
}

async function fillExperiment(engine: Engine, api: BoundApi): Promise<void> {
  const metric = { key: 'purchase', name: 'Purchases', kind: 'custom' as const, eventKey: 'purchase' }
  await ignoreExisting(api.postMetric({ projectKey, body: metric }))
  const [shown = '', hidden = ''] = await newFlag(api, 'free-delivery', 'Free delivery banner')
  const keys = { ...production, experimentKey: 'free-delivery' }
  const treatment = (name: string, variationId: string, baseline: boolean) => ({
    name,
    baseline,
    allocationPercent: '50',
    parameters: [{ flagKey: 'free-delivery', variationId }],
  })
  const { environments } = await api.getFlag({ projectKey, flagKey: 'free-delivery' })
  const iteration = {
    hypothesis: 'Visitors who see that delivery is free buy more often.',
    metrics: [{ key: 'purchase', isGroup: false }],
    primarySingleMetricKey: 'purchase',
    treatments: [treatment('Banner', shown, false), treatment('No banner', hidden, true)],
    flags: { 'free-delivery': { ruleId: 'fallthrough', flagConfigVersion: environments?.production?.version ?? 1 } },
    randomizationUnit: 'user',
  }
  const body = { key: 'free-delivery', name: 'Free delivery banner', iteration }
  await ignoreExisting(api.createExperiment({ ...production, body }))
  if ((await api.getExperiment(keys)).currentIteration) return
  await api.patchExperiment({ ...keys, body: { instructions: [{ kind: 'startIteration' }] } })
  await visit(engine)
}

/** Evaluates the flag of the experiment for visitors, some of whom buy: 12 percent with the banner, and 9 without. */
async function visit(engine: Engine): Promise<void> {
  const evaluator = engine.evaluator(production)
  await evaluator.ready()
  for (let index = 0; index < visitors; index++) {
    const visitor = { kind: 'user', key: `visitor-${index}` }
    const { value } = evaluator.evaluate('free-delivery', visitor, false)
    if (index % 100 < (value === true ? 12 : 9)) engine.track('purchase', visitor, {}, production)
  }
  await engine.sdk.flush()
}

async function fillAIConfig(api: BoundApi): Promise<void> {
  const keys = { projectKey, configKey: 'support-answers' }
  const prompt = (content: string) => ({ messages: [{ role: 'system', content }] })
  const first = 'You answer questions about orders of {{ shop }}.\nAnswer in one sentence.'
  const defaultVariation = { key: 'short', name: 'Short answers', ...prompt(first) }
  try {
    await api.createAIConfig({ projectKey, body: { key: keys.configKey, name: 'Support answers', defaultVariation } })
  } catch (error) {
    if ((error as ApiError).code === 'optimistic_locking_error') return
    throw error
  }
  const second = `${first}\nSay so when you do not know the answer.`
  await api.patchAIConfigVariation({ ...keys, variationKey: 'short', body: prompt(second) })
}

/** Adds a change that the second person of the demo account requests, and the owner can approve. */
async function fillApproval(engine: Engine, api: BoundApi): Promise<void> {
  if ((await api.listApprovalRequests({ limit: 1 })).totalCount > 0) return
  const grace = engine.as({ identity: { member: 'grace@example.com' } })
  await grace.createApprovalRequestForFlag({
    ...production,
    flagKey: 'search-backend',
    body: { description: 'Turn the index off for the inventory', instructions: [{ kind: 'turnFlagOff' }] },
  })
}
