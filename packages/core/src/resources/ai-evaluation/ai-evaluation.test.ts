import { describe, expect, it } from 'vitest'
import { createEngine } from '../../index.ts'
import { flags } from '../../models/flags/flag.ts'
import type { Storage } from '../../storage/port.ts'
import { aiProject } from '../ai-configs/test/ai-project.ts'

const environment = { projectKey: 'web', environmentKey: 'production' }
const ann = { kind: 'user', key: 'ann', name: 'Ann', plan: 'pro' }
const turnOn = { kind: 'turnFlagOn' }

/** Creates the project of `aiProject`, and functions that evaluate its AI configs for Ann in production. */
async function evaluatedProject() {
  const project = await aiProject()
  const { engine, api, as } = project
  await engine.evaluator(environment).ready()
  return {
    ...project,
    config: (key: string, variables?: Readonly<Record<string, unknown>>) =>
      engine.aiConfig(key, ann, undefined, variables, environment),
    agent: (key: string) => engine.agentConfig(key, ann, undefined, undefined, environment),
    judge: (key: string) => engine.judgeConfig(key, ann, undefined, undefined, environment),
    graph: (key: string) => engine.agentGraph(key, ann, undefined, environment),
    snippet: (key: string, text: string) =>
      api.createPromptSnippet({ projectKey: 'web', body: { key, name: key, text } }, { as }),
    skill: (key: string, markdown: string) =>
      api.createAgentSkill({ projectKey: 'web', body: { key, name: key, description: 'A skill', markdown } }, { as }),
    /** Creates a config with one variation, and turns it on in production. */
    async createOn(key: string, variation: object, overrides: object = {}) {
      await project.create(key, { ...overrides, defaultVariation: { key: 'a', name: 'A', ...variation } })
      await project.instruct(key, [turnOn])
    },
  }
}

describe('engine.aiConfig', () => {
  it('returns the model with the parameters of its model config, provider, messages, tools and judges', async () => {
    const { createOn, config, tool, modelConfig, create } = await evaluatedProject()
    await tool('weather', { description: 'The weather', customParameters: { unit: 'celsius' } })
    await create('strict', { mode: 'judge' })
    await modelConfig('large', {
      id: 'large-2',
      provider: 'acme',
      params: { temperature: 0.1, topK: 3 },
      customParams: { region: 'eu' },
    })
    await createOn('chat', {
      messages: [{ role: 'system', content: 'Be {{tone}} to {{ldctx.name}}.' }],
      model: { parameters: { temperature: 0.7 } },
      modelConfigKey: 'large',
      tools: [{ key: 'weather', version: 1 }],
      judgeConfiguration: { judges: [{ judgeConfigKey: 'strict', samplingRate: 0.25 }] },
    })
    const schema = { type: 'object' }
    const definition = { name: 'weather', type: 'function', description: 'The weather', parameters: schema }
    expect(config('chat', { tone: 'kind' })).toEqual({
      key: 'chat',
      enabled: true,
      variationKey: 'a',
      version: 1,
      model: {
        name: 'large-2',
        parameters: { temperature: 0.7, topK: 3, tools: [definition] },
        custom: { region: 'eu' },
      },
      provider: { name: 'acme' },
      messages: [{ role: 'system', content: 'Be kind to Ann.' }],
      tools: { weather: { ...definition, customParameters: { unit: 'celsius' } } },
      judgeConfiguration: { judges: [{ key: 'strict', samplingRate: 0.25 }] },
      reason: { kind: 'FALLTHROUGH' },
    })
  })

  it('returns the variation that targeting selects, with the reason', async () => {
    const { createOn, addVariation, instruct, config } = await evaluatedProject()
    await createOn('chat', {})
    const { _id } = await addVariation('chat', 'b')
    await instruct('chat', [{ kind: 'addTargets', values: ['ann'], variationId: _id }])
    expect(config('chat')).toMatchObject({ variationKey: 'b', reason: { kind: 'TARGET_MATCH' } })
  })

  it('is disabled while the targeting is off and while the variation is archived', async () => {
    const { createOn, instruct, patchVariation, config } = await evaluatedProject()
    const messages = [{ role: 'system', content: 'Hello' }]
    await createOn('chat', { messages })
    await instruct('chat', [{ kind: 'turnFlagOff' }])
    expect(config('chat')).toMatchObject({ enabled: false, messages, reason: { kind: 'OFF' } })
    await instruct('chat', [turnOn])
    expect(config('chat')).toMatchObject({ enabled: true, reason: { kind: 'FALLTHROUGH' } })
    await patchVariation('chat', 'a', { state: 'archived' })
    expect(config('chat')).toMatchObject({ enabled: false, version: 2, reason: { kind: 'FALLTHROUGH' } })
  })

  it('returns the interpolated fallback where no config has the key, or it has no variation', async () => {
    const { engine, create } = await evaluatedProject()
    await create('empty')
    const fallback = { enabled: true, messages: [{ role: 'user', content: '{{ldctx.plan}} {{x}}' }] }
    for (const key of ['none', 'empty'])
      expect(engine.aiConfig(key, ann, fallback, { x: 1 }, environment)).toEqual({
        key,
        enabled: true,
        messages: [{ role: 'user', content: 'pro 1' }],
        reason: { kind: 'ERROR', errorKind: 'FLAG_NOT_FOUND' },
      })
  })

  it('is disabled and empty for a config of another mode, and for a flag', async () => {
    const { api, as, createOn, config, agent } = await evaluatedProject()
    await createOn('chat', {})
    await api.createFlag({ projectKey: 'web', body: { key: 'f', name: 'F' } }, { as })
    const reason = { kind: 'ERROR', errorKind: 'WRONG_TYPE' }
    expect(agent('chat')).toEqual({ key: 'chat', enabled: false, reason })
    expect(config('f')).toEqual({ key: 'f', enabled: false, reason })
  })

  it('expands snippets in the version that the prompt names, and interpolates their variables', async () => {
    const { api, as, snippet, createOn, config } = await evaluatedProject()
    await snippet('tone', 'Be kind, {{ldctx.name}}.')
    await createOn('chat', {
      messages: [
        { role: 'system', content: '{{> tone@1 }}' },
        { role: 'system', content: '{{>tone}} Really.' },
      ],
    })
    const contents = () => config('chat').messages?.map(({ content }) => content)
    expect(contents()).toEqual(['Be kind, Ann.', 'Be kind, Ann. Really.'])
    await api.patchPromptSnippet({ projectKey: 'web', snippetKey: 'tone', body: { text: 'Be brief.' } }, { as })
    expect(contents()).toEqual(['Be kind, Ann.', 'Be brief. Really.'])
  })
})

describe('engine.agentConfig and engine.judgeConfig', () => {
  it('return instructions with attached skills, and the metric of a judge', async () => {
    const { createOn, skill, agent, judge } = await evaluatedProject()
    await skill('refunds', '# Refunds')
    const instructions = 'Help {{ldctx.name}}.'
    await createOn('helper', { instructions, skills: [{ key: 'refunds', version: 1 }] }, { mode: 'agent' })
    expect(agent('helper')).toMatchObject({
      enabled: true,
      instructions: 'Help Ann.',
      skills: [{ key: 'refunds', name: 'refunds', description: 'A skill', version: 1, markdown: '# Refunds' }],
    })
    await createOn(
      'strict',
      { messages: [{ role: 'system', content: '{{x}}!' }] },
      { mode: 'judge', evaluationMetricKey: 'm' },
    )
    expect(judge('strict')).toMatchObject({ messages: [{ content: '!' }], evaluationMetricKey: 'm' })
  })
})

describe('engine.agentGraph', () => {
  it('resolves to its agents, and is disabled while one of them is', async () => {
    const { api, as, createOn, instruct, graph } = await evaluatedProject()
    for (const key of ['triage', 'refund'])
      await createOn(key, { instructions: `${key} for {{ldctx.name}}` }, { mode: 'agent' })
    const edges = [{ key: 'e', sourceConfig: 'triage', targetConfig: 'refund', handoff: { when: 'refund' } }]
    await api.createAgentGraph(
      { projectKey: 'web', body: { key: 'support', name: 'Support', rootConfigKey: 'triage', edges } },
      { as },
    )
    expect(graph('support')).toMatchObject({
      enabled: true,
      root: 'triage',
      edges: { triage: [{ key: 'refund', handoff: { when: 'refund' } }] },
      nodes: {
        triage: { enabled: true, instructions: 'triage for Ann' },
        refund: { enabled: true, instructions: 'refund for Ann' },
      },
    })
    const changed = [{ ...edges[0], handoff: { when: 'never' } }]
    const body = { rootConfigKey: 'triage', edges: changed } as never
    await api.patchAgentGraph({ projectKey: 'web', graphKey: 'support', body }, { as })
    expect(graph('support').edges).toEqual({ triage: [{ key: 'refund', handoff: { when: 'never' } }] })
    await instruct('refund', [{ kind: 'turnFlagOff' }])
    expect(graph('support')).toMatchObject({ enabled: false, nodes: {}, edges: {} })
    expect(graph('none')).toMatchObject({ enabled: false, reason: { kind: 'ERROR' } })
  })
})

describe('prompts', () => {
  it('must be templates whose snippets and skills exist, and these cannot be deleted while a variation uses them', async () => {
    const { api, as, addVariation, create, snippet, skill } = await evaluatedProject()
    await create('chat')
    const body = { messages: [{ role: 'system', content: 'Hi {{name' }], skills: [{ key: 'none', version: 1 }] }
    await expect(addVariation('chat', 'a', body)).rejects.toMatchObject({
      errors: [
        {
          attribute: 'messages.0.content',
          reason: expect.stringContaining('must be a Mustache template: Unclosed tag'),
        },
        { attribute: 'skills.0' },
      ],
    })
    await expect(
      addVariation('chat', 'a', { messages: [{ role: 'system', content: '{{> tone@2}}' }] }),
    ).rejects.toMatchObject({
      errors: [{ attribute: 'messages.0.content', reason: expect.stringContaining('tone@2 does not exist') }],
    })
    await snippet('tone', 'Be kind.')
    await skill('refunds', '# Refunds')
    await addVariation('chat', 'a', {
      messages: [{ role: 'system', content: 'A {{> tone@1}}.' }],
      skills: [{ key: 'refunds', version: 1 }],
    })
    const remove = (query: object = {}) =>
      api.deletePromptSnippet({ projectKey: 'web', snippetKey: 'tone', ...query }, { as })
    await expect(remove()).rejects.toMatchObject({ status: 409 })
    await expect(api.deleteAgentSkill({ projectKey: 'web', skillKey: 'refunds' }, { as })).rejects.toMatchObject({
      status: 409,
    })
    await remove({ detach: true })
    const { variations } = await api.getAIConfig({ projectKey: 'web', configKey: 'chat' }, { as })
    expect(variations[0]?.messages).toEqual([{ role: 'system', content: 'A .' }])
  })
})

describe('a key', () => {
  it('is refused for a second flag, AI config or agent graph of the project', async () => {
    const { api, as, create } = await evaluatedProject()
    const creations: Readonly<Record<string, (key: string) => Promise<unknown>>> = {
      flag: (key) => api.createFlag({ projectKey: 'web', body: { key, name: key } }, { as }),
      'AI config': (key) => create(key),
      'agent graph': (key) => api.createAgentGraph({ projectKey: 'web', body: { key, name: key } }, { as }),
    }
    for (const [firstKind, createFirst] of Object.entries(creations)) {
      const key = firstKind.replace(' ', '-')
      await createFirst(key)
      for (const [kind, createSecond] of Object.entries(creations)) {
        if (kind === firstKind) continue
        await expect(createSecond(key)).rejects.toMatchObject({
          status: 409,
          message:
            `The ${kind} ${key} cannot be created: the ${firstKind} with this key exists, ` +
            'and SDKs receive flags, AI configs and agent graphs in one list',
        })
      }
    }
  })
})

describe('AI configs as flags', () => {
  it('are reported to change listeners of an evaluator, and evaluated with the flags', async () => {
    const { engine, createOn, snippet, api, as } = await evaluatedProject()
    await snippet('tone', 'Be kind.')
    await createOn('chat', { messages: [{ role: 'system', content: '{{> tone}}' }] })
    const notifications: (readonly string[])[] = []
    engine.evaluator(environment).onChange((keys) => notifications.push(keys))
    await api.patchPromptSnippet({ projectKey: 'web', snippetKey: 'tone', body: { text: 'Be brief.' } }, { as })
    expect(notifications).toEqual([['chat']])
    expect(engine.evaluateAll(ann, environment)).toMatchObject({
      chat: { value: { messages: [{ content: 'Be brief.' }] }, reason: { kind: 'FALLTHROUGH' } },
    })
  })

  it('do not reach client-side SDKs unless they are made available to them', async () => {
    const { engine, createOn, patch } = await evaluatedProject()
    await createOn('chat', {})
    const visible = (clientSide: 'environmentId' | 'mobile') =>
      Object.keys(engine.evaluator(environment).evaluateAll(ann, { clientSide }))
    expect([visible('environmentId'), visible('mobile')]).toEqual([[], []])
    const changed = await patch('chat', {
      clientSideAvailability: { usingEnvironmentId: false, usingMobileKey: true },
    })
    expect(changed.clientSideAvailability).toEqual({ usingEnvironmentId: false, usingMobileKey: true })
    expect([visible('environmentId'), visible('mobile')]).toEqual([[], ['chat']])
  })

  it('are not counted as evaluations of a flag that gets their key later', async () => {
    const { engine: writer, storage, create, api, as, instruct } = await evaluatedProject()
    await create('later', { defaultVariation: { key: 'a', name: 'A' } })
    await instruct('later', [turnOn])
    const engine = createEngine({ storage, countEvaluations: true })
    await engine.evaluator(environment).ready()
    engine.evaluate('later', ann, {}, environment)
    await engine.sdk.flush()
    await api.deleteAIConfig({ projectKey: 'web', configKey: 'later' }, { as })
    await api.createFlag({ projectKey: 'web', body: { key: 'later', name: 'Later' } }, { as })
    expect(await writer.sdk.evaluations({ ...environment, flagKey: 'later' })).toEqual([])
  })

  it('are served only after a flag with the same key, which an earlier version allowed, is deleted', async () => {
    const { engine, storage, api, as, createOn, config } = await evaluatedProject()
    await createOn('chat', {})
    await api.createFlag({ projectKey: 'web', body: { key: 'other', name: 'Other' } }, { as })
    await renameFlag(storage, 'other', 'chat')
    engine.clearCaches()
    await engine.evaluator(environment).ready()
    expect(engine.evaluate('chat', ann, true, environment)).toMatchObject({ value: false })
    expect(config('chat')).toMatchObject({ enabled: false, reason: { errorKind: 'WRONG_TYPE' } })
    await api.deleteFlag({ projectKey: 'web', flagKey: 'chat' }, { as })
    expect(config('chat')).toMatchObject({ enabled: true, variationKey: 'a' })
  })
})

/** Gives a stored flag another key, which no operation can do. */
async function renameFlag(storage: Storage, from: string, to: string): Promise<void> {
  const account = storage.account('default')
  const idOf = (key: string) => flags.id({ projectKey: 'web', flagKey: key })
  const [stored] = await account.getMany([idOf(from)])
  if (!stored) throw new Error(`there is no flag ${from}`)
  await account.commit([{ do: 'insert', id: idOf(to), body: { ...(stored.body as object), key: to }, fields: {} }])
}
