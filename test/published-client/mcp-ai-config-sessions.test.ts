import { beforeEach, describe, expect, it } from 'vitest'
import { type McpSteps, openMcpSteps } from './mcp-steps.ts'

let steps: McpSteps

beforeEach(async () => {
  steps = await openMcpSteps()
  const { send } = steps.session
  await send('POST', '/teams', { key: 'core', name: 'Core' })
  await send('POST', '/projects/shop/ai-configs/model-configs', {
    key: 'large',
    name: 'Large',
    id: 'large',
    provider: 'x',
  })
  await send('POST', '/projects/shop/ai-configs/model-configs', { key: 'small', name: 'Small', id: 'small' })
  for (const key of ['weather', 'time']) {
    await send('POST', '/projects/shop/ai-tools', { key, schema: { type: 'object' }, customParameters: { unit: 'c' } })
  }
})

const judging = (...judges: object[]) => ({ judgeConfiguration: { judges } })

const createConfig = (key: string, body: object = {}) =>
  steps.step('create-ai-config', { AIConfigPost: { key, name: key, ...body } })

const createVariation = (configKey: string, key: string, body: object = {}) =>
  steps.step('create-ai-config-variation', { configKey, AIConfigVariationPost: { key, name: key, ...body } })

const readConfigs = async (configKeys: readonly string[]) => {
  for (const configKey of configKeys) {
    await steps.step('get-ai-config', { configKey })
    await steps.step('get-ai-config-targeting', { configKey })
  }
}

describe('a session of the published MCP server', () => {
  it('creates AI configs of each mode with each property', async () => {
    const { items } = await steps.session.send<{ items: { _id: string }[] }>('GET', '/members')
    const messages = ['system', 'user', 'assistant', 'developer'].map((role) => ({ role, content: `${role} text` }))
    const bodies = {
      judge: { mode: 'judge', evaluationMetricKey: '$ld:ai:judge:accuracy', isInverted: true },
      judge2: { mode: 'judge', evaluationMetricKey: 'quality', defaultVariation: { key: 'v', name: 'V', messages } },
      chat: { description: 'text', tags: ['a', 'b'], maintainerTeamKey: 'core' },
      agent: { mode: 'agent', maintainerId: items[0]?._id, evaluationMetricKey: 'm' },
      'chat-2': { defaultVariation: { key: 'v', name: 'V', messages, model: {}, modelConfigKey: 'large' } },
      'agent-2': { mode: 'agent', defaultVariation: { key: 'v', name: 'V', instructions: 'x', toolKeys: ['weather'] } },
      'agent-3': { mode: 'agent', defaultVariation: { key: 'v', name: 'V', tools: [{ key: 'time', version: 1 }] } },
      empty: { defaultVariation: { key: 'v', name: 'V' } },
    }
    for (const [key, body] of Object.entries(bodies)) await createConfig(key, body)
    await readConfigs(Object.keys(bodies))
    await steps.session.send('POST', '/projects/shop/ai-configs/model-configs/restricted', { keys: ['large'] })
    const orders = ['name', 'key', 'createdAt', 'updatedAt'].flatMap((sort) => [{ sort }, { sort: `-${sort}` }])
    const filters = ['query:chat', 'tags:a', 'mode:agent', 'maintainerTeamKey:core', 'name:chat,tags:a+b']
    const lists = [...orders, ...filters.map((filter) => ({ filter })), {}, { limit: 1, offset: 2 }]
    for (const request of lists) await steps.step('list-ai-configs', request)
    const patches = [
      ...[{ description: '' }, { name: 'n' }, { tags: [] }, { evaluationMetricKey: 'm' }, { isInverted: true }, {}],
      ...[{ maintainerId: items[0]?._id }, { maintainerTeamKey: 'core' }, { tags: ['x'], description: 'd' }],
    ]
    for (const AIConfigPatch of patches) await steps.step('update-ai-config', { configKey: 'chat', AIConfigPatch })
    await readConfigs(['chat', 'chat-2'])
    await steps.step('delete-ai-config', { configKey: 'empty' })
    steps.expectSuccess()
  })

  it('creates and changes variations with each property', async () => {
    await createConfig('judge', { mode: 'judge' })
    await createConfig('chat')
    await createConfig('agent', { mode: 'agent' })
    const messages = [{ role: 'system', content: 'x' }]
    const judge = { judgeConfigKey: 'judge', samplingRate: 0.5 }
    const variations = [
      ...[{ messages, model: {}, comment: 'c', description: 'd' }, { modelConfigKey: 'small', model: {} }, {}],
      ...[{ messages: [], tools: [{ key: 'weather', version: 1 }] }, { toolKeys: ['weather', 'time'] }],
      ...[{ messages, ...judging(judge) }, judging(), { judgeConfiguration: {} }],
    ]
    for (const [index, body] of variations.entries()) await createVariation('chat', `v${index}`, body)
    await createVariation('agent', 'a', { instructions: 'x', description: 'd', tools: [], toolKeys: [] })
    await createVariation('agent', 'b', { messages })
    await createVariation('judge', 'j', { messages })
    const patches = [
      ...[{ comment: 'c' }, { description: 'd' }, { messages }, { messages: [] }, { model: {} }, { name: 'n' }, {}],
      ...[{ modelConfigKey: 'large' }, { tools: [{ key: 'time', version: 1 }] }, { toolKeys: ['weather'] }],
      ...[{ state: 'archived' }, { published: true }, { state: 'archived', comment: 'x' }, { state: 'published' }],
      ...[judging({ ...judge, samplingRate: 1 }), { published: false }, { tools: [], toolKeys: [] }],
    ]
    for (const AIConfigVariationPatch of patches) {
      await steps.step('update-ai-config-variation', { configKey: 'chat', variationKey: 'v0', AIConfigVariationPatch })
    }
    const AIConfigVariationPatch = { instructions: 'other', toolKeys: ['time'] }
    await steps.step('update-ai-config-variation', { configKey: 'agent', variationKey: 'a', AIConfigVariationPatch })
    for (const index of variations.keys()) {
      await steps.step('get-ai-config-variation', { configKey: 'chat', variationKey: `v${index}` })
    }
    await readConfigs(['chat', 'agent', 'judge'])
    await steps.step('delete-ai-config-variation', { configKey: 'chat', variationKey: 'v7' })
    steps.expectSuccess()
    expect(steps.count()).toBeGreaterThan(40)
  })

  it('changes the targeting of an AI config with each instruction', async () => {
    await createConfig('chat')
    for (const key of ['a', 'b', 'c']) await createVariation('chat', key, { messages: [] })
    const target = await steps.step<{ variations: { id: string }[] }>('get-ai-config-targeting', { configKey: 'chat' })
    const [a = '', b = '', c = ''] = target.variations.map(({ id }) => id)
    const clause = { attribute: 'country', op: 'in', values: ['de'], negate: false, contextKind: 'user' }
    const rolloutWeights = { [a]: 50_000, [b]: 50_000 }
    const change = async (...instructions: object[]) => {
      const AIConfigTargetingPatch = { environmentKey: 'production', comment: 'why', instructions }
      await steps.step('update-ai-config-targeting', { configKey: 'chat', AIConfigTargetingPatch })
    }
    const path = '/projects/shop/ai-configs/chat/targeting'
    type Rules = { environments: { production: { rules: { _id: string; clauses: { _id: string }[] }[] } } }
    const readRules = async () => (await steps.session.send<Rules>('GET', path)).environments.production.rules
    await change({ kind: 'turnFlagOn' }, { kind: 'addRule', clauses: [clause], variationId: a, description: 'first' })
    const [{ _id: beforeRuleId = '' } = {}] = await readRules()
    const bucketing = { rolloutBucketBy: 'email', rolloutContextKind: 'org' }
    await change({ kind: 'addRule', clauses: [clause], rolloutWeights, ...bucketing, beforeRuleId })
    const rules = await readRules()
    const [{ _id: ruleId = '', clauses = [] } = {}] = rules
    const clauseId = clauses[0]?._id
    const instructions = [
      { kind: 'addClauses', ruleId, clauses: [{ ...clause, op: 'contains' }] },
      { kind: 'addValuesToClause', ruleId, clauseId, values: ['fr'] },
      { kind: 'removeValuesFromClause', ruleId, clauseId, values: ['fr'] },
      { kind: 'updateClause', ruleId, clauseId, clause: { ...clause, op: 'startsWith', negate: true } },
      { kind: 'removeClauses', ruleId, clauseIds: [clauseId] },
      { kind: 'updateRuleDescription', ruleId, description: 'x' },
      { kind: 'updateRuleTrackEvents', ruleId, trackEvents: true },
      { kind: 'updateRuleVariationOrRollout', ruleId, variationId: b },
      { kind: 'updateRuleVariationOrRollout', ruleId, rolloutWeights },
      { kind: 'reorderRules', ruleIds: rules.map(({ _id }) => _id).reverse() },
      { kind: 'addTargets', values: ['ann', 'bob'], variationId: a },
      { kind: 'addTargets', contextKind: 'org', values: ['acme'], variationId: a },
      { kind: 'removeTargets', values: ['ann'], variationId: a },
      { kind: 'replaceTargets', targets: [{ contextKind: 'device', variationId: b, values: ['x'] }] },
      { kind: 'clearTargets', variationId: b },
      {
        kind: 'updateDefaultVariation',
        onVariationValue: { variationKey: 'b' },
        offVariationValue: { variationKey: 'c' },
      },
      { kind: 'updateFallthroughVariationOrRollout', variationId: c },
      { kind: 'updateFallthroughVariationOrRollout', rolloutWeights, ...bucketing },
      { kind: 'updateOffVariation', variationId: c },
      { kind: 'updateTrackEvents', trackEvents: true },
      { kind: 'updateTrackEventsFallthrough', trackEvents: true },
      { kind: 'removeRule', ruleId },
      {
        kind: 'replaceRules',
        rules: [
          { variationId: a, clauses: [clause] },
          { clauses: [clause], rolloutWeights },
        ],
      },
      { kind: 'turnFlagOff' },
    ]
    for (const instruction of instructions) {
      await change(instruction)
      await steps.step('get-ai-config-targeting', { configKey: 'chat' })
    }
    steps.expectSuccess()
    expect(steps.count()).toBeGreaterThan(50)
  })
})
