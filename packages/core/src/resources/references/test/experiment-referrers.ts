import type { ReferenceAccount } from './reference-account.ts'
import { type NamedReferrers, production, web } from './referrer.ts'

interface NewExperiment {
  /** Key of the flag or the AI config. Default: a new flag. */
  readonly subject?: string
  readonly variationIds?: readonly string[]
  readonly metric?: { readonly key: string; readonly isGroup: boolean }
  readonly maintainerId?: string
  readonly key?: string
  /** Default: `production`. */
  readonly environmentKey?: string
}

interface CreatedFlag {
  readonly variations: readonly { readonly _id: string }[]
}

/** Makes an experiment whose first iteration has not started, and returns the call that reads it. */
async function newExperiment({ call }: ReferenceAccount, input: NewExperiment) {
  const { subject = 'measured', key = 'trial', maintainerId, environmentKey = 'production' } = input
  let { variationIds, metric } = input
  if (!variationIds) {
    const { variations } = await call<CreatedFlag>('createFlag', { ...web, body: { key: subject, name: subject } })
    variationIds = variations.map(({ _id }) => _id)
  }
  if (!metric) {
    metric = { key: `metric-of-${key}`, isGroup: false }
    await call('postMetric', { ...web, body: { key: metric.key, kind: 'custom', eventKey: 'paid' } })
  }
  const iteration = {
    hypothesis: 'It helps',
    metrics: [metric],
    [metric.isGroup ? 'primaryFunnelKey' : 'primarySingleMetricKey']: metric.key,
    treatments: variationIds.map((variationId, index) => ({
      name: `Treatment ${index}`,
      baseline: index === 0,
      allocationPercent: '50',
      parameters: [{ flagKey: subject, variationId }],
    })),
    flags: { [subject]: { ruleId: 'fallthrough', flagConfigVersion: 1 } },
  }
  const body = { key, name: 'Trial', iteration, ...(maintainerId === undefined ? {} : { maintainerId }) }
  await call('createExperiment', { ...web, environmentKey, body })
  return () => call('getExperiment', { ...web, environmentKey, experimentKey: key })
}

async function newHoldout({ call }: ReferenceAccount, more: object) {
  await call('postMetric', { ...web, body: { key: 'steps', kind: 'custom', eventKey: 'paid' } })
  const body = { key: 'kept', name: 'Kept', holdoutamount: '5', metrics: [{ key: 'steps' }], ...more }
  return call('postHoldout', { ...production, body: { primarymetrickey: 'steps', ...body } })
}

const readHoldout =
  ({ call }: ReferenceAccount) =>
  () =>
    call('getHoldout', { ...production, holdoutKey: 'kept' })

/** Referrers that are experiments, layers and holdouts, by the name of the row. */
export const experimentReferrers: NamedReferrers = [
  [
    'experiment iterations.subject.key -> flag',
    async (account, { keys, text }) => {
      const { variations } = await account.call<CreatedFlag>('getFlag', keys)
      return newExperiment(account, { subject: text, variationIds: variations.map(({ _id }) => _id) })
    },
  ],
  [
    'experiment iterations.subject.key -> ai-config',
    async (account, { keys, text }) => {
      const variationIds: string[] = []
      for (const key of ['short', 'long'])
        variationIds.push((await account.call('createAIConfigVariation', { ...keys, body: { key, name: key } }))._id)
      return newExperiment(account, { subject: text, variationIds })
    },
  ],
  [
    'experiment iterations.metrics.key -> metric',
    (account, { text }) => newExperiment(account, { metric: { key: text, isGroup: false } }),
  ],
  [
    'experiment iterations.metrics.key -> metric-group',
    (account, { text }) => newExperiment(account, { metric: { key: text, isGroup: true } }),
  ],
  ['experiment maintainerId -> member', (account, { text }) => newExperiment(account, { maintainerId: text })],
  [
    'holdout maintainerId -> member',
    async (account, { text }) => {
      await newHoldout(account, { maintainerId: text })
      return readHoldout(account)
    },
  ],
  [
    'holdout segmentKey -> segment',
    async (account, target) => {
      // A holdout makes its own segment, with the same key, so the target is deleted first.
      await target.delete()
      await newHoldout(account, { key: target.text.replace('holdout-', '') })
      return () => account.call('getAllHoldouts', production)
    },
  ],
  [
    'layer reservations.environmentKey -> environment',
    async (account, { text }) => {
      const { call } = account
      await newExperiment(account, { environmentKey: text })
      await call('createLayer', { ...web, body: { key: 'page', name: 'Page', description: '' } })
      const layer = { ...web, layerKey: 'page' }
      const instruction = { kind: 'updateExperimentReservation', experimentKey: 'trial', reservationPercent: 20 }
      await call('updateLayer', { ...layer, body: { environmentKey: text, instructions: [instruction] } })
      return () => call('getLayers', web)
    },
  ],
]
