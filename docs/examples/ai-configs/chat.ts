// #region create
import { createEngine, type EvaluatedAIConfig } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const engine = createEngine({ storage: createMemoryStorage() })
const as = (await engine.bootstrap())?.token as string
const environment = { projectKey: 'shop', environmentKey: 'production' }
const project = { projectKey: 'shop' }
await engine.api.createProject({ body: { key: 'shop', name: 'Shop' } }, { as })

await engine.api.createModelConfig(
  { ...project, body: { key: 'small', name: 'Small', id: 'small-1', provider: 'acme', params: { temperature: 0.2 } } },
  { as },
)
await engine.api.createPromptSnippet({ ...project, body: { key: 'tone', name: 'Tone', text: 'Be {{tone}}.' } }, { as })
const messages = [{ role: 'system', content: '{{> tone@1 }} You talk to {{ldctx.name}}.' }]
const defaultVariation = { key: 'first', name: 'First', modelConfigKey: 'small', messages }
await engine.api.createAIConfig({ ...project, body: { key: 'chat', name: 'Chat', defaultVariation } }, { as })
const turnOn = { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' as const }] }
await engine.api.patchAIConfigTargeting({ ...project, configKey: 'chat', body: turnOn }, { as })
// #endregion

const { provider, address } = await startProvider()

// #region chat
await engine.evaluator(environment).ready()

async function answer(context: { kind: string; key: string; name: string }, question: string): Promise<string> {
  const config = engine.aiConfig('chat', context, { enabled: false }, { tone: 'kind' }, environment)
  if (!config.enabled) return 'The assistant is not available.'
  return complete(config, question)
}

const ann = { kind: 'user', key: 'ann', name: 'Ann' }
console.log(await answer(ann, 'Hello'))
// #endregion

// #region change
const changed = [{ role: 'system', content: 'Answer {{ldctx.name}} in one word.' }]
await engine.api.patchAIConfigVariation(
  { ...project, configKey: 'chat', variationKey: 'first', body: { messages: changed } },
  { as },
)
console.log(await answer(ann, 'Hello'))

const turnOff = { environmentKey: 'production', instructions: [{ kind: 'turnFlagOff' as const }] }
await engine.api.patchAIConfigTargeting({ ...project, configKey: 'chat', body: turnOff }, { as })
console.log(await answer(ann, 'Hello'))
// #endregion

await engine.close()
provider.close()

/** Calls the model provider with the model and the prompt of a config. */
async function complete({ model, messages = [] }: EvaluatedAIConfig, question: string): Promise<string> {
  const body = {
    model: model?.name,
    ...model?.parameters,
    messages: [...messages, { role: 'user', content: question }],
  }
  const response = await fetch(address, { method: 'POST', body: JSON.stringify(body) })
  return response.text()
}

/** Starts a model provider that describes the request instead of answering it. */
async function startProvider() {
  const { createServer } = await import('node:http')
  const { json } = await import('node:stream/consumers')
  const provider = createServer(async (request, response) => {
    const { model, temperature, messages } = (await json(request)) as {
      model: string
      temperature: number
      messages: { content: string }[]
    }
    response.end(`${model} at ${temperature}: ${messages[0]?.content}`)
  })
  await new Promise<void>((ready) => provider.listen(0, '127.0.0.1', () => ready()))
  return { provider, address: `http://127.0.0.1:${(provider.address() as { port: number }).port}` }
}
