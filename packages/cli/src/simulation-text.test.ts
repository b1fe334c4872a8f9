import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { expect, it } from 'vitest'
import { simulationText } from './simulation-text.ts'

const owner = { as: { role: 'owner' } } as const
const environment = { projectKey: 'web', environmentKey: 'production' }
const clause = { contextKind: 'user', attribute: '', op: 'segmentMatch', values: ['beta'], negate: false } as const

/**
 * An account with flag `f`, which all contexts in segment `beta` receive, where changes need approval and notify a
 * webhook.
 */
async function account() {
  const engine = createEngine({ storage: createMemoryStorage() })
  const { api } = engine
  await engine.bootstrap()
  await api.createProject({ body: { key: 'web', name: 'Web' } }, owner)
  await api.createSegment({ ...environment, body: { key: 'beta', name: 'Beta' } }, owner)
  const { variations } = await api.createFlag({ projectKey: 'web', body: { key: 'f', name: 'f' } }, owner)
  const [yes, no] = variations.map(({ _id }) => _id) as [string, string]
  const instructions = [
    { kind: 'turnFlagOn' },
    { kind: 'addRule', clauses: [clause], variationId: yes },
    { kind: 'updateFallthroughVariationOrRollout', variationId: no },
  ] as const
  const flag = { projectKey: 'web', flagKey: 'f' }
  await api.patchFlag({ ...flag, body: { environmentKey: 'production', instructions } }, owner)
  const url = 'https://chat.example.com/hook'
  const webhook = await api.createWebhook({ body: { name: 'Chat', url, on: true, sign: true } }, owner)
  const body = { environmentKey: 'production', required: true }
  await api.patchApprovalRequestSettings({ projectKey: 'web', body: body as never }, owner)
  return { engine, webhook }
}

it('the text of a simulation lists changed contexts, dependent flags, approvals, webhooks and required actions', async () => {
  const { engine, webhook } = await account()
  const contexts = [
    { kind: 'multi', user: { key: 'ann' }, org: { key: 'acme' } },
    { kind: 'user', key: 'bob' },
  ]
  const instructions = [{ kind: 'addIncludedUsers', values: ['ann'] }] as const
  const simulation = await engine.simulate({ ...environment, segmentKey: 'beta', instructions, contexts }, owner)
  expect(simulationText(simulation, 'segment beta', false).trimEnd().split('\n')).toEqual([
    'segment beta: 1 of 2 contexts change',
    '  user ann + org acme  not in  ->  in',
    'dependent flag f: 1 of 2 contexts change',
    'segment beta: contains 1 instead of 0 of the contexts',
    expect.stringMatching(/^needs approval: The environment production requires approval of this change/),
    `notifies webhook ${webhook._id} at chat.example.com`,
    'needs updateIncluded on proj/web:env/production:segment/beta',
    'nothing was written',
  ])
})

it('the text of a simulation names newly referenced segments and dependent AI configs', async () => {
  const { engine } = await account()
  const { api } = engine
  const contexts = [{ kind: 'user', key: 'ann' }]
  const { variations } = await api.createFlag({ projectKey: 'web', body: { key: 'g', name: 'g' } }, owner)
  const rule = { kind: 'addRule', clauses: [clause], variationId: variations[0]?._id as string } as const
  const flagChange = { ...environment, flagKey: 'g', instructions: [rule], contexts }
  expect(simulationText(await engine.simulate(flagChange, owner), 'flag g', false)).toContain(
    '\nsegment beta is newly referenced: contains 0 of the contexts\n',
  )
  const defaultVariation = { key: 'a', name: 'A' }
  const config = { key: 'chat', name: 'Chat', defaultVariation }
  const created = await api.createAIConfig({ projectKey: 'web', body: config }, owner)
  const variationId = created.variations[0]?._id as string
  const serve = [{ kind: 'turnFlagOn' }, { kind: 'addRule', clauses: [clause], variationId }] as const
  const body = { environmentKey: 'production', instructions: serve }
  await api.patchAIConfigTargeting({ projectKey: 'web', configKey: 'chat', body }, owner)
  await api.createAIConfigVariation({ projectKey: 'web', configKey: 'chat', body: { key: 'b', name: 'B' } }, owner)
  const { variations: both } = await api.getAIConfig({ projectKey: 'web', configKey: 'chat' }, owner)
  const fallthrough = { kind: 'updateFallthroughVariationOrRollout', variationId: both[1]?._id as string } as const
  await api.patchAIConfigTargeting(
    { projectKey: 'web', configKey: 'chat', body: { environmentKey: 'production', instructions: [fallthrough] } },
    owner,
  )
  const instructions = [{ kind: 'addIncludedUsers', values: ['ann'] }] as const
  const segmentChange = { ...environment, segmentKey: 'beta', instructions, contexts }
  expect(simulationText(await engine.simulate(segmentChange, owner), 'segment beta', false)).toContain(
    '\ndependent AI config chat: 1 of 1 contexts change\n',
  )
})

it('the text of a simulation explains results, and contains no control characters that users entered', async () => {
  const { engine } = await account()
  const contexts = [{ kind: 'user', key: 'bo\u001b[2Jb' }]
  const [flag] = [{ kind: 'turnFlagOff' }] as const
  const simulation = await engine.simulate({ ...environment, flagKey: 'f', instructions: [flag], contexts }, owner)
  expect(simulation.changed).toBe(0)
  const patch = [{ op: 'replace', path: '/environments/production/fallthrough', value: { variation: 0 } }]
  const text = simulationText(
    await engine.simulate({ ...environment, flagKey: 'f', patch, contexts }, owner),
    'f',
    true,
  )
  expect(text).not.toContain('\u001b')
  expect(text).toContain('  before:\n    flag f is on\n')
  expect(text).toContain('    so variation 0, true: FALLTHROUGH\n')
})
