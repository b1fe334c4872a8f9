import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler, withSdk } from '@halyard/transport-fetch'
import { initAi } from '@launchdarkly/server-sdk-ai'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { offlineSdk } from './setup/reference-sdk.ts'
import { createSdkFixture, environmentKeys } from './setup/sdk-fixture.ts'

const keys = ['one', 'two'] as const
const contexts = [
  { kind: 'user', key: 'ann', name: 'Ann', address: { city: 'Bern' }, tags: ['a', 'b'] },
  { kind: 'multi', user: { key: 'bob' }, org: { key: 'acme', plan: '<pro>' } },
]
const variables = { tone: 'kind & "short"', items: [{ n: 1 }, { n: 2 }], off: false }

const prompt = fc
  .array(
    fc.constantFrom(
      ...['plain ', '{{tone}} ', '{{{tone}}} ', '{{ldctx.name}} ', '{{ldctx.address.city}} ', '{{ldctx.org.plan}} '],
      ...['{{missing}} ', '{{#items}}{{n}},{{/items}}', '{{^off}}on{{/off}} ', '{{! a comment }}', '{{ldctx.tags}} '],
      ...['{{> s1 }}', '{{> s2@1 }} ', '{{>s2}}'],
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''))

const variation = fc.record({
  messages: fc.option(
    fc.array(fc.record({ role: fc.constantFrom('system', 'user'), content: prompt }), { maxLength: 2 }),
    {
      nil: undefined,
    },
  ),
  model: fc.constantFrom({}, { modelName: 'large', parameters: { temperature: 0.5 }, custom: { region: 'eu' } }),
  modelConfigKey: fc.constantFrom(undefined, 'model'),
  tools: fc.constantFrom([], [{ key: 'weather', version: 1 }]),
  judgeConfiguration: fc.constantFrom({ judges: [] }, { judges: [{ judgeConfigKey: 'judge', samplingRate: 0.5 }] }),
})

const kinds = [
  ...(['createConfig', 'createConfig', 'deleteConfig', 'patchConfig', 'addVariation', 'patchVariation'] as const),
  ...([
    'on',
    'on',
    'off',
    'serve',
    'archive',
    'patchSnippet',
    'patchModel',
    'createGraph',
    'patchGraph',
    'deleteGraph',
  ] as const),
  ...(['createSegment', 'deleteSegment', 'clear'] as const),
]

const step = fc.record({
  do: fc.constantFrom(...kinds),
  key: fc.constantFrom(...keys),
  mode: fc.constantFrom('completion', 'agent', 'judge'),
  variation,
  prompt,
  index: fc.nat(2),
})

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Kinds of changes that the engine has accepted at least once. */
const applied = new Set<Step['do']>()

async function createProject() {
  const storage = createMemoryStorage()
  const fixture = await createSdkFixture(storage)
  const { engine, as } = fixture
  const web = { projectKey: 'web' }
  const api = engine.as(as)
  for (const key of ['s1', 's2'])
    await api.createPromptSnippet({ ...web, body: { key, name: key, text: `${key} {{tone}} ` } })
  await api.createAITool({ ...web, body: { key: 'weather', schema: { type: 'object' } } })
  await api.createModelConfig({
    ...web,
    body: { key: 'model', name: 'Model', id: 'm-1', provider: 'acme', params: { k: 1 } },
  })
  await api.createAIConfig({
    ...web,
    body: { key: 'judge', name: 'Judge', mode: 'judge', evaluationMetricKey: 'score' },
  })
  let count = 0

  const instruct = async (configKey: string, instruction: object) => {
    const body = { environmentKey: environmentKeys.environmentKey, instructions: [instruction] } as never
    await api.patchAIConfigTargeting({ ...web, configKey, body })
  }
  async function variationAt(configKey: string, index: number) {
    const { variations } = await api.getAIConfig({ ...web, configKey })
    return variations[index % variations.length]
  }
  for (const [key, mode] of [
    ['one', 'completion'],
    ['two', 'agent'],
  ] as const) {
    const defaultVariation = { key: 'a', name: 'A', messages: [{ role: 'system', content: '{{> s1 }}{{ldctx.name}}' }] }
    await api.createAIConfig({ ...web, body: { key, name: key, mode, defaultVariation } })
    await instruct(key, { kind: 'turnFlagOn' })
  }
  const graph = (key: string) => ({ key: 'graph', name: 'Graph', rootConfigKey: key, edges: [] })
  const bodyOf = ({ mode, variation: body, prompt: instructions }: Step) => ({
    ...body,
    ...(mode === 'agent' && { instructions }),
  })
  const changes: Readonly<Record<Step['do'], (step: Step) => Promise<unknown>>> = {
    createConfig: (of) =>
      api.createAIConfig({
        ...web,
        body: {
          ...{ key: of.key, name: of.key, mode: of.mode, evaluationMetricKey: 'score' },
          defaultVariation: { key: 'a', name: 'A', ...bodyOf(of) },
        } as never,
      }),
    deleteConfig: ({ key: configKey }) => api.deleteAIConfig({ ...web, configKey }),
    patchConfig: ({ key: configKey }) =>
      api.patchAIConfig({ ...web, configKey, body: { evaluationMetricKey: `score-${count++}` } }),
    addVariation: (of) =>
      api.createAIConfigVariation({
        ...web,
        configKey: of.key,
        body: { key: `v${count++}`, name: 'V', ...bodyOf(of) } as never,
      }),
    async patchVariation({ key: configKey, index, prompt: content }) {
      const variationKey = (await variationAt(configKey, index))?.key ?? ''
      const body = { messages: [{ role: 'user', content }] }
      await api.patchAIConfigVariation({ ...web, configKey, variationKey, body })
    },
    on: ({ key }) => instruct(key, { kind: 'turnFlagOn' }),
    off: ({ key }) => instruct(key, { kind: 'turnFlagOff' }),
    async serve({ key, index }) {
      const variationId = (await variationAt(key, index))?._id
      await instruct(key, { kind: 'addTargets', values: ['ann'], variationId })
    },
    async archive({ key: configKey, index }) {
      const variationKey = (await variationAt(configKey, index))?.key ?? ''
      await api.patchAIConfigVariation({ ...web, configKey, variationKey, body: { state: 'archived' } })
    },
    patchSnippet: ({ index }) =>
      api.patchPromptSnippet({
        ...web,
        snippetKey: `s${(index % 2) + 1}`,
        body: { text: `text ${count++} {{ldctx.key}}` },
      }),
    patchModel: () =>
      api.patchModelConfig({
        ...web,
        modelConfigKey: 'model',
        body: { params: { k: count++ } },
      }),
    createGraph: ({ key }) => api.createAgentGraph({ ...web, body: graph(key) }),
    patchGraph: ({ key }) => {
      const edges = [{ key: 'e', sourceConfig: key, targetConfig: key, handoff: { count: count++ } }]
      return api.patchAgentGraph({ ...web, graphKey: 'graph', body: { rootConfigKey: key, edges } })
    },
    deleteGraph: () => api.deleteAgentGraph({ ...web, graphKey: 'graph' }),
    async createSegment({ key }) {
      await api.createSegment({ ...environmentKeys, body: { key: 'people', name: 'People' } })
      const clauses = [{ contextKind: 'user', attribute: '', op: 'segmentMatch', values: ['people'], negate: true }]
      await instruct(key, { kind: 'addRule', clauses, variationId: (await variationAt(key, 0))?._id })
    },
    deleteSegment: () => api.deleteSegment({ ...environmentKeys, segmentKey: 'people', detach: true }),
    clear: async () => engine.clearCaches(),
  }
  /** Applies a change. A change that the engine refuses, for instance because a config is missing, changes nothing. */
  const apply = (change: Step) =>
    changes[change.do](change).then(
      () => void applied.add(change.do),
      () => {},
    )
  return { ...fixture, storage, apply }
}

const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown

it('after any changes the content in memory equals the stored content, and the AI SDK returns the results of the engine', async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20, size: 'max' }), async (steps) => {
      const { engine, storage, keys: sdkKeys, apply } = await createProject()
      const evaluator = engine.evaluator(environmentKeys)
      await evaluator.ready()
      const flagsIn = (ruleset: typeof evaluator.ruleset) =>
        Object.fromEntries(Array.from(ruleset?.flags.entries() ?? [], ([key, { data }]) => [key, data]))
      for (const change of steps) {
        await apply(change)
        await evaluator.ready()
        const reread = createEngine({ storage }).evaluator(environmentKeys)
        await reread.ready()
        expect(flagsIn(evaluator.ruleset)).toEqual(flagsIn(reread.ruleset))
      }

      const handler = withSdk(createFetchHandler(engine), engine)
      const request = new Request('http://localhost/sdk/latest-all', { headers: { authorization: sdkKeys.server } })
      const { flags } = (await (await handler(request)).json()) as { flags: Record<string, object> }
      const { client, data } = await offlineSdk()
      for (const flag of Object.values(flags)) await data.usePreconfiguredFlag(flag as never)
      const ai = initAi(client)
      for (const key of [...keys, 'none', 'judge'])
        for (const context of contexts) {
          const inSdk = {
            completion: await ai.completionConfig(key, context as never, fallback, variables),
            agent: await ai.agentConfig(key, context as never, { instructions: '{{tone}}' }, variables),
            judge: await ai.judgeConfig(key, context as never, undefined, variables),
          }
          const inEngine = {
            completion: engine.aiConfig(key, context as never, fallback, variables, environmentKeys),
            agent: engine.agentConfig(key, context as never, { instructions: '{{tone}}' }, variables, environmentKeys),
            judge: engine.judgeConfig(key, context as never, undefined, variables, environmentKeys),
          }
          for (const mode of ['completion', 'agent', 'judge'] as const) {
            const { tracker, ...config } = inSdk[mode]
            const { tools, skills, reason, variationKey, version, ...computed } = inEngine[mode]
            expect(computed).toEqual(plain(config))
            if (!computed.enabled) continue
            compared++
            expect({ variationKey, version }).toEqual({
              variationKey: tracker?.getTrackData().variationKey,
              version: tracker?.getTrackData().version,
            })
          }
        }
      client.close()
      await engine.close()
    }),
    { numRuns: 20 },
  )
  // The test would pass trivially if no config were ever served.
  expect(compared).toBeGreaterThan(20)
  expect([...kinds].filter((kind) => !applied.has(kind))).toEqual([])
})

const fallback = { messages: [{ role: 'user' as const, content: 'Hello {{ldctx.key}}' }] }
