import { createClient } from '@halyard/client'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createPostgresStorage } from '@halyard/storage-postgres'
import { createFetchHandler, withSdk } from '@halyard/transport-fetch'
import type { LDClient } from '@launchdarkly/node-server-sdk'
import { initAi, LDFeedbackKind } from '@launchdarkly/server-sdk-ai'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { killChildren } from './processes/child.ts'
import { halyardFile, type ServedEngine, serveHalyard } from './processes/served-engine.ts'
import { bundledProgram } from './setup/bundled-program.ts'
import { longTests } from './setup/long-tests.ts'
import { type OwnDatabase, ownDatabase } from './setup/own-database.ts'
import { createSdkFixture, environmentKeys, eventsOf, readyClient } from './setup/sdk-fixture.ts'

const token = 'api-ai-configs-over-the-wire-0123456789'
const ann = { kind: 'user', key: 'ann', name: 'Ann', plan: 'pro' }
const bob = { kind: 'user', key: 'bob', name: 'Bob' }
const variables = { tone: 'kind' }
const web = { projectKey: 'web' }

/** Number of rounds. Each round measures the delays of three changes. */
const rounds = longTests ? 34 : 5

type Mode = 'agent' | 'completion' | 'judge'

let database: OwnDatabase
let served: ServedEngine
let api: ReturnType<typeof createClient>['api']
let sdkKey: string

beforeAll(async () => {
  database = await ownDatabase()
  served = await serveHalyard(bundledProgram(halyardFile), database.url, token, ['--rate-limit', 'off'])
  api = createClient({ baseUrl: served.address, token }).api
  await api.createProject({ body: { key: 'web', name: 'Web' } })
  sdkKey = (await api.getEnvironment(environmentKeys)).apiKey
  await createConfigs()
}, 120_000)

afterAll(async () => {
  await killChildren()
  await database.drop()
})

async function instruct(configKey: string, ...instructions: object[]): Promise<void> {
  const body = { environmentKey: environmentKeys.environmentKey, instructions } as never
  await api.patchAIConfigTargeting({ ...web, configKey, body })
}

async function createConfigs(): Promise<void> {
  await api.createModelConfig({ ...web, body: { key: 'large', name: 'Large', id: 'large-2', provider: 'acme' } })
  await api.createPromptSnippet({ ...web, body: { key: 'tone', name: 'Tone', text: 'Be {{tone}}.' } })
  await api.createAITool({ ...web, body: { key: 'weather', description: 'The weather', schema: { type: 'object' } } })
  const config = (key: string, mode: Mode, variation: object, settings: object = {}) => {
    const defaultVariation = { key: 'first', name: 'First', modelConfigKey: 'large', ...variation }
    return api.createAIConfig({ ...web, body: { key, name: key, mode, ...settings, defaultVariation } })
  }
  const message = (content: string) => ({ messages: [{ role: 'system', content }] })
  await config('strict', 'judge', message('Judge {{response_to_evaluate}}'), { evaluationMetricKey: 'relevance' })
  await config('chat', 'completion', {
    ...message('{{> tone@1 }} You talk to {{ldctx.name}}.'),
    model: { parameters: { temperature: 0.3 }, custom: { region: 'eu' } },
    tools: [{ key: 'weather', version: 1 }],
    judgeConfiguration: { judges: [{ judgeConfigKey: 'strict', samplingRate: 1 }] },
  })
  const pro = { key: 'pro', name: 'Pro', ...message('You talk to a customer with the plan {{ldctx.plan}}.') }
  const { _id } = await api.createAIConfigVariation({ ...web, configKey: 'chat', body: pro })
  const clauses = [{ contextKind: 'user', attribute: 'plan', op: 'in', values: ['pro'], negate: false }]
  await instruct('chat', { kind: 'turnFlagOn' }, { kind: 'addRule', clauses, variationId: _id })
  await config('off', 'completion', message('Hidden'))
  for (const key of ['triage', 'refunds'])
    await config(key, 'agent', { instructions: `You are ${key} for {{ldctx.name}}.` })
  for (const key of ['strict', 'triage', 'refunds']) await instruct(key, { kind: 'turnFlagOn' })
  const edges = [{ key: 'e', sourceConfig: 'triage', targetConfig: 'refunds', handoff: { when: 'refund' } }]
  await api.createAgentGraph({ ...web, body: { key: 'support', name: 'Support', rootConfigKey: 'triage', edges } })
}

/** Connects the unmodified SDK and its AI client. */
async function connect(): Promise<{ client: LDClient; ai: ReturnType<typeof initAi> }> {
  const client = await readyClient(served.address, sdkKey)
  return { client, ai: initAi(client) }
}

describe('the unmodified AI SDK on halyard serve', () => {
  it('gets the variation that targeting selects, with model, provider, tools, judges and interpolated prompt', async () => {
    const { ai } = await connect()
    const { tracker, ...config } = await ai.completionConfig('chat', bob, undefined, variables)
    expect(config).toEqual({
      key: 'chat',
      enabled: true,
      model: {
        name: 'large-2',
        parameters: {
          temperature: 0.3,
          tools: [{ name: 'weather', type: 'function', description: 'The weather', parameters: { type: 'object' } }],
        },
        custom: { region: 'eu' },
      },
      provider: { name: 'acme' },
      messages: [{ role: 'system', content: 'Be kind. You talk to Bob.' }],
      judgeConfiguration: { judges: [{ key: 'strict', samplingRate: 1 }] },
    })
    expect(tracker?.getTrackData()).toEqual({
      configKey: 'chat',
      variationKey: 'first',
      version: 1,
      modelName: 'large-2',
      providerName: 'acme',
    })
    const { messages, tracker: other } = await ai.completionConfig('chat', ann, undefined, variables)
    expect(messages).toEqual([{ role: 'system', content: 'You talk to a customer with the plan pro.' }])
    expect(other?.getTrackData().variationKey).toBe('pro')
  })

  it('gets agents, judges and disabled variations, and the nodes of a graph', async () => {
    const { ai, client } = await connect()
    expect(await ai.agentConfig('triage', ann)).toMatchObject({
      enabled: true,
      instructions: 'You are triage for Ann.',
    })
    expect(await ai.judgeConfig('strict', ann, undefined, { response_to_evaluate: 'x' })).toMatchObject({
      enabled: true,
      evaluationMetricKey: 'relevance',
      messages: [{ role: 'system', content: 'Judge x' }],
    })
    expect(await ai.completionConfig('off', ann)).toMatchObject({ enabled: false })
    expect(await ai.completionConfig('triage', ann)).toMatchObject({ enabled: false })
    const graph = await client.variation('support', ann, undefined)
    expect(graph).toMatchObject({
      root: 'triage',
      edges: { triage: [{ key: 'refunds', handoff: { when: 'refund' } }] },
    })
    const agents = await ai.agentConfigs([{ key: graph.root }, { key: graph.edges.triage[0].key }], ann)
    expect(agents).toMatchObject({ triage: { enabled: true }, refunds: { instructions: 'You are refunds for Ann.' } })
  })

  it('computes the same as an engine in another process', async () => {
    const pool = new pg.Pool({ connectionString: database.url })
    const engine = createEngine({ storage: createPostgresStorage({ pool }) })
    await engine.evaluator(environmentKeys).ready()
    const { ai } = await connect()
    for (const context of [ann, bob]) {
      const { tracker, ...config } = await ai.completionConfig('chat', context, undefined, variables)
      const evaluated = engine.aiConfig('chat', context, undefined, variables, environmentKeys)
      const { tools, reason, variationKey, version, ...computed } = evaluated
      expect(computed).toEqual(JSON.parse(JSON.stringify(config)))
    }
    await engine.close()
    await pool.end()
  })

  it('sends the events of its tracker, which the server measures by variation', async () => {
    const { ai, client } = await connect()
    const from = Date.now()
    const { tracker } = await ai.completionConfig('chat', ann)
    tracker?.trackDuration(120)
    tracker?.trackTimeToFirstToken(30)
    tracker?.trackTokens({ input: 5, output: 7, total: 12 })
    tracker?.trackSuccess()
    tracker?.trackFeedback({ kind: LDFeedbackKind.Positive })
    tracker?.trackEvalScores({ relevance: { score: 0.75, reasoning: '' } })
    await client.flush()
    const query = { ...web, configKey: 'chat', from, env: environmentKeys.environmentKey }
    const measured = await vi.waitFor(
      async () => {
        const parts = await api.getAIConfigMetricsByVariation({ ...query, to: Date.now() + 1 })
        expect(parts[0]?.metrics.judgeScores).toHaveProperty('relevance')
        return parts
      },
      { timeout: 20_000, interval: 100 },
    )
    expect(measured).toEqual([
      {
        variationKey: 'pro',
        metrics: expect.objectContaining({
          inputTokens: 5,
          outputTokens: 7,
          totalTokens: 12,
          generationSuccessCount: 1,
          thumbsUp: 1,
          durationMs: 120,
          timeToFirstTokenMs: 30,
          judgeScores: { relevance: { average: 0.75, count: 1 } },
        }),
      },
    ])
  })

  it('sees a change of a prompt, a snippet and a model config within 200 ms of the response', async () => {
    const { ai, client } = await connect()
    type Agent = { readonly instructions?: string; readonly model?: { readonly name: string } }
    /** Makes a change, and returns the time from its response until the client computes the changed config, in ms. */
    async function delayOf(change: () => Promise<unknown>, isSeen: (agent: Agent) => boolean): Promise<number> {
      let listener = () => {}
      const seen = new Promise<number>((resolve) => {
        listener = async () => {
          if (isSeen((await ai.agentConfig('triage', ann)) as Agent)) resolve(performance.now())
        }
        client.on('update:triage', listener)
      })
      await change()
      const responded = performance.now()
      const delay = (await seen) - responded
      client.off('update:triage', listener)
      return delay
    }
    const triage = { ...web, configKey: 'triage', variationKey: 'first' }
    const delays: number[] = []
    for (let round = 0; round < rounds; round++) {
      delays.push(
        await delayOf(
          () =>
            api.patchAIConfigVariation({
              ...triage,
              body: { instructions: `${round} for {{ldctx.name}} {{> tone }}` },
            }),
          ({ instructions }) => instructions?.startsWith(`${round} for Ann`) === true,
        ),
        await delayOf(
          () => api.patchPromptSnippet({ ...web, snippetKey: 'tone', body: { text: `tone ${round}` } }),
          ({ instructions }) => instructions === `${round} for Ann tone ${round}`,
        ),
        await delayOf(
          () => api.patchModelConfig({ ...web, modelConfigKey: 'large', body: { id: `large ${round}` } }),
          ({ model }) => model?.name === `large ${round}`,
        ),
      )
    }
    delays.sort((a, b) => a - b)
    const quantile = (share: number) => delays[Math.ceil(delays.length * share) - 1] as number
    const [median, late, latest] = [quantile(0.5), quantile(0.95), quantile(1)]
    console.log(
      `${delays.length} changes are seen after ${median.toFixed(1)} ms (median), ${late.toFixed(1)} ms (p95), ${latest.toFixed(1)} ms (max)`,
    )
    // The median, because the machine of the test may run other programs.
    expect(median).toBeLessThan(200)
  }, 120_000)
})

it('client-side endpoints serve an AI config only to the kind of client that it is available to', async () => {
  const { engine, api: local, as, keys } = await createSdkFixture(createMemoryStorage())
  const handler = withSdk(createFetchHandler(engine), engine)
  /**
   * Returns what a client of each kind polls: browsers by the id of the environment, applications by the mobile key.
   */
  async function polled(): Promise<readonly unknown[]> {
    const context = Buffer.from(JSON.stringify(ann)).toString('base64url')
    const paths = [`/sdk/evalx/${keys.id}/contexts/${context}`, `/msdk/evalx/contexts/${context}`]
    const headers = { authorization: keys.mobile }
    const responses = await Promise.all(
      paths.map((path) => handler(new Request(`http://localhost${path}`, { headers }))),
    )
    const bodies = await Promise.all(responses.map((response) => response.json()))
    return bodies.map(({ chat }) => chat?.value)
  }
  const defaultVariation = { key: 'a', name: 'A', messages: [{ role: 'system', content: 'To {{ldctx.name}}' }] }
  await local.createAIConfig({ ...web, body: { key: 'chat', name: 'Chat', defaultVariation } }, { as })
  const body = { environmentKey: environmentKeys.environmentKey, instructions: [{ kind: 'turnFlagOn' as const }] }
  await local.patchAIConfigTargeting({ ...web, configKey: 'chat', body }, { as })
  expect(await polled()).toEqual([undefined, undefined])
  const served = {
    _ldMeta: { enabled: true, variationKey: 'a', version: 1, mode: 'completion' },
    messages: defaultVariation.messages,
  }
  for (const [usingEnvironmentId, usingMobileKey] of [
    [false, true],
    [true, false],
  ] as const) {
    const clientSideAvailability = { usingEnvironmentId, usingMobileKey }
    await local.patchAIConfig({ ...web, configKey: 'chat', body: { clientSideAvailability } }, { as })
    expect(await polled()).toMatchObject([usingEnvironmentId ? served : undefined, usingMobileKey ? served : undefined])
  }
})

it('a stream sends only the AI config whose snippet or model config has changed', async () => {
  const { engine, api: local, as, keys } = await createSdkFixture(createMemoryStorage())
  const messages = [{ role: 'system', content: '{{> tone }}' }]
  const defaultVariation = { key: 'a', name: 'A', messages, modelConfigKey: 'large' }
  await local.createModelConfig({ ...web, body: { key: 'large', name: 'Large', id: 'large-1' } }, { as })
  await local.createPromptSnippet({ ...web, body: { key: 'tone', name: 'Tone', text: 'Be kind.' } }, { as })
  await local.createAIConfig({ ...web, body: { key: 'chat', name: 'Chat', defaultVariation } }, { as })
  const handler = withSdk(createFetchHandler(engine), engine)
  const request = new Request('http://localhost/all', { headers: { authorization: keys.server } })
  const events = eventsOf((await handler(request)).body as never)
  expect(await events.next()).toMatchObject({ event: 'put' })
  await local.patchPromptSnippet({ ...web, snippetKey: 'tone', body: { text: 'Be brief.' } }, { as })
  const variation = { messages: [{ content: 'Be brief.' }] }
  expect(await events.next()).toMatchObject({
    event: 'patch',
    data: { path: '/flags/chat', data: { variations: [variation, variation] } },
  })
  await local.patchModelConfig({ ...web, modelConfigKey: 'large', body: { id: 'large-2' } }, { as })
  expect(await events.next()).toMatchObject({
    event: 'patch',
    data: { data: { variations: [{ model: { name: 'large-2' } }, {}] } },
  })
  const body = { messages: [{ role: 'system', content: 'No snippet.' }] }
  await local.patchAIConfigVariation({ ...web, configKey: 'chat', variationKey: 'a', body }, { as })
  expect(await events.next()).toMatchObject({ event: 'patch', data: { data: { variations: [body, body] } } })
  await events.close()
})
