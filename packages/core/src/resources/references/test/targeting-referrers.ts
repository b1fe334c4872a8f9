import type { ReferenceAccount } from './reference-account.ts'
import { type CreatedDocument, far, type NamedReferrers, newFlag, newWorkflow, production, web } from './referrer.ts'

const variationsOf = async ({ call }: ReferenceAccount, keys: object) =>
  (await call<{ variations: readonly { _id: string }[] }>('getFlag', keys)).variations.map(({ _id }) => _id)

const inSegment = (segmentKey: string) => ({
  attribute: '',
  op: 'segmentMatch',
  values: [segmentKey],
  contextKind: 'user',
})

/** Referrers whose rules, prerequisites or scheduled changes refer to segments and flags. */
export const targetingReferrers: NamedReferrers = [
  [
    'flag-config rules.clauses.values -> segment',
    async (account, { text }) => {
      const flag = await newFlag(account, 'host')
      const [variationId] = await variationsOf(account, flag)
      const instructions = [{ kind: 'addRule', clauses: [inSegment(text)], variationId }]
      await account.call('patchFlag', { ...flag, body: { environmentKey: 'production', instructions } })
      return () => account.call('getFlag', flag)
    },
  ],
  [
    'ai-config-targeting rules.clauses.values -> segment',
    async ({ call }, { text }) => {
      const body = { key: 'host', name: 'host', defaultVariation: { key: 'a', name: 'a' } }
      const keys = { ...web, configKey: 'host' }
      const { variations } = await call<{ variations: CreatedDocument[] }>('createAIConfig', { ...web, body })
      const instructions = [{ kind: 'addRule', clauses: [inSegment(text)], variationId: variations[0]?._id }]
      await call('patchAIConfigTargeting', { ...keys, body: { environmentKey: 'production', instructions } })
      return () => call('getAIConfigTargeting', keys)
    },
  ],
  [
    'segment rules.clauses.values -> segment',
    async ({ call }, { text }) => {
      await call('createSegment', { ...production, body: { key: 'hosts', name: 'hosts' } })
      const keys = { ...production, segmentKey: 'hosts' }
      const value = [{ clauses: [inSegment(text)] }]
      await call('patchSegment', { ...keys, body: [{ op: 'replace', path: '/rules', value }] })
      return () => call('getSegment', keys)
    },
  ],
  [
    'flag-config prerequisites.key -> flag',
    async (account, { keys, text }) => {
      const [variationId] = await variationsOf(account, keys)
      const flag = await newFlag(account, 'host')
      const instructions = [{ kind: 'addPrerequisite', key: text, variationId }]
      await account.call('patchFlag', { ...flag, body: { environmentKey: 'production', instructions } })
      return () => account.call('getFlag', flag)
    },
  ],
  [
    'scheduled-change instructions.clauses.values -> segment',
    async (account, { text }) => {
      const flag = { ...(await newFlag(account, 'host')), environmentKey: 'production' }
      const [variationId] = await variationsOf(account, flag)
      const instructions = [{ kind: 'addRule', clauses: [inSegment(text)], variationId }]
      await account.call('createScheduledChange', { ...flag, body: { executionDate: far, instructions } })
      return () => account.call('listScheduledChanges', flag)
    },
  ],
  [
    'scheduled-change instructions.key -> flag',
    async (account, { keys, text }) => {
      const [variationId] = await variationsOf(account, keys)
      const flag = { ...(await newFlag(account, 'host')), environmentKey: 'production' }
      const instructions = [{ kind: 'addPrerequisite', key: text, variationId }]
      await account.call('createScheduledChange', { ...flag, body: { executionDate: far, instructions } })
      return () => account.call('listScheduledChanges', flag)
    },
  ],
  [
    'workflow stages.instructions.clauses.values -> segment',
    async (account, { text }) => {
      const flag = { ...(await newFlag(account, 'host')), environmentKey: 'production' }
      const [variationId] = await variationsOf(account, flag)
      await newWorkflow(account, flag, [{ kind: 'addRule', clauses: [inSegment(text)], variationId }])
      return () => account.call('getWorkflows', flag)
    },
  ],
  [
    'workflow stages.instructions.key -> flag',
    async (account, { keys, text }) => {
      const [variationId] = await variationsOf(account, keys)
      const flag = { ...(await newFlag(account, 'host')), environmentKey: 'production' }
      await newWorkflow(account, flag, [{ kind: 'addPrerequisite', key: text, variationId }])
      return () => account.call('getWorkflows', flag)
    },
  ],
]
