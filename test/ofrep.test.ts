import { createMemoryStorage } from '@halyard/storage-memory'
import { createExpressSdk } from '@halyard/transport-express'
import { createFetchHandler, withSdk } from '@halyard/transport-fetch'
import { OFREPProvider } from '@openfeature/ofrep-provider'
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { OpenFeature } from '@openfeature/server-sdk'
import { OpenFeature as OpenFeatureWeb, ProviderEvents } from '@openfeature/web-sdk'
import { EventSource } from 'eventsource'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createSdkFixture, environmentKeys, listen, type SdkFixture } from './setup/sdk-fixture.ts'

const createFixture = () => createSdkFixture(createMemoryStorage())

const ann = { targetingKey: 'ann' }

async function serve(fixture: SdkFixture): Promise<string> {
  return listen(createExpressSdk(fixture.engine))
}

async function post(url: string, key: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

const one = (url: string, flagKey: string) => `${url}/ofrep/v1/evaluate/flags/${flagKey}`
const all = (url: string) => `${url}/ofrep/v1/evaluate/flags`

it('the published server provider evaluates flags', async () => {
  const fixture = await createFixture()
  const url = await serve(fixture)
  await fixture.turn('checkout', true)
  const headers: [string, string][] = [['Authorization', `Bearer ${fixture.keys.server}`]]
  await OpenFeature.setProviderAndWait('ofrep', new OFREPProvider({ baseUrl: url, headers }))
  onTestFinished(() => OpenFeature.clearProviders())
  const client = OpenFeature.getClient('ofrep')
  expect(await client.getBooleanDetails('checkout', false, ann)).toMatchObject({
    value: true,
    variant: '0',
    reason: 'DEFAULT',
  })
  await fixture.turn('checkout', false)
  expect(await client.getBooleanDetails('checkout', true, ann)).toMatchObject({ value: false, reason: 'DISABLED' })
  expect(await client.getBooleanDetails('inner', true, ann)).toMatchObject({ value: false })
  expect(await client.getBooleanDetails('absent', true, ann)).toMatchObject({
    value: true,
    errorCode: 'FLAG_NOT_FOUND',
  })
  expect(await client.getBooleanDetails('checkout', true, {})).toMatchObject({ errorCode: 'TARGETING_KEY_MISSING' })
  // The first calls of the file import the parts of the engine, which takes long on a busy machine.
}, 180_000)

it('the published web provider evaluates the flags for clients, and again when one changes', async () => {
  vi.stubGlobal('EventSource', EventSource)
  onTestFinished(() => void vi.unstubAllGlobals())
  const fixture = await createFixture()
  const url = await serve(fixture)
  const headers: [string, string][] = [['Authorization', `Bearer ${fixture.keys.id}`]]
  const provider = new OFREPWebProvider({ baseUrl: url, headers, pollInterval: 0, changeDetection: 'sse' })
  await OpenFeatureWeb.setContext('ofrep', ann)
  await OpenFeatureWeb.setProviderAndWait('ofrep', provider)
  onTestFinished(() => OpenFeatureWeb.clearProviders())
  const client = OpenFeatureWeb.getClient('ofrep')
  expect(client.getBooleanDetails('checkout', true)).toMatchObject({ value: false, reason: 'DISABLED' })
  expect(client.getBooleanDetails('inner', true)).toMatchObject({ value: true, errorCode: 'FLAG_NOT_FOUND' })
  await vi.waitUntil(() => fixture.engine.sdk.streams() === 1, { timeout: 10_000 })
  const changed = new Promise((resolve) => client.addHandler(ProviderEvents.ConfigurationChanged, resolve))
  await fixture.turn('checkout', true)
  await changed
  expect(client.getBooleanDetails('checkout', false)).toMatchObject({ value: true })
})

it('a stream first requests a new evaluation from its client, because flags may have changed before it was open', async () => {
  const fixture = await createFixture()
  const url = await serve(fixture)
  await post(all(url), fixture.keys.id, { context: ann })
  await fixture.turn('checkout', true)
  const response = await fetch(`${url}/ofrep/v1/changes/${fixture.keys.id}`)
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  onTestFinished(() => reader.cancel())
  const { value } = await reader.read()
  expect(new TextDecoder().decode(value)).toBe('data: {"type":"refetchEvaluation"}\n\n')
})

it('all values have an ETag that changes with them', async () => {
  const fixture = await createFixture()
  const url = await serve(fixture)
  const first = await post(all(url), fixture.keys.mobile, { context: ann })
  expect(first.body).toEqual({
    flags: [{ key: 'checkout', value: false, variant: '1', reason: 'DISABLED', metadata: {} }],
    eventStreams: [
      { type: 'sse', endpoint: { requestUri: `/ofrep/v1/changes/${fixture.keys.id}` }, inactivityDelaySec: 120 },
    ],
  })
  const ifNoneMatch = { 'if-none-match': first.headers.get('etag') as string }
  expect((await post(all(url), fixture.keys.mobile, { context: ann }, ifNoneMatch)).status).toBe(304)
  await fixture.turn('checkout', true)
  expect((await post(all(url), fixture.keys.mobile, { context: ann }, ifNoneMatch)).status).toBe(200)
})

it('a server receives the flags that clients do not receive, and no AI configs', async () => {
  const fixture = await createFixture()
  const { projectKey } = environmentKeys
  await fixture.api.createAIConfig({ projectKey, body: { key: 'assistant', name: 'Assistant' } }, { as: fixture.as })
  const url = await serve(fixture)
  const { body } = await post(all(url), fixture.keys.server, { context: ann })
  expect(body.flags.map(({ key }: { key: string }) => key)).toEqual(['checkout', 'inner'])
  expect((await post(one(url, 'assistant'), fixture.keys.server, { context: ann })).status).toBe(404)
})

it('targets match contexts of several kinds, with attributes of any name', async () => {
  const fixture = await createFixture()
  const url = await serve(fixture)
  const { variations } = await fixture.api.getFlag({ projectKey: 'web', flagKey: 'checkout' }, { as: fixture.as })
  const [on] = variations
  await fixture.instruct(
    'checkout',
    { kind: 'turnFlagOn' },
    { kind: 'updateFallthroughVariationOrRollout', variationId: variations[1]?._id },
    { kind: 'addTargets', contextKind: 'company', values: ['acme'], variationId: on?._id },
    {
      kind: 'addRule',
      variationId: on?._id,
      clauses: [{ contextKind: 'user', attribute: 'errorCode', op: 'in', values: [7], negate: false }],
    },
  )
  const valueFor = async (context: object) => (await post(one(url, 'checkout'), fixture.keys.server, { context })).body
  expect(await valueFor(ann)).toMatchObject({ value: false, reason: 'DEFAULT' })
  expect(await valueFor({ ...ann, errorCode: 7 })).toMatchObject({ value: true, reason: 'TARGETING_MATCH' })
  expect(await valueFor({ kind: 'company', key: 'acme' })).toMatchObject({ value: true, reason: 'TARGETING_MATCH' })
  expect(await valueFor({ kind: 'multi', ...ann, user: {}, company: { key: 'acme' } })).toMatchObject({ value: true })
})

it.each([
  ['no JSON', '{', 'PARSE_ERROR'],
  ['a list', '[]', 'PARSE_ERROR'],
  ['a context that is not an object', '{"context":1}', 'INVALID_CONTEXT'],
  ['no key', '{"context":{"name":"Ann"}}', 'TARGETING_KEY_MISSING'],
  ['a key that is a number', '{"context":{"targetingKey":1}}', 'INVALID_CONTEXT'],
  ['an invalid kind', '{"context":{"targetingKey":"a","kind":"a b"}}', 'INVALID_CONTEXT'],
  ['a kind that is not an object', '{"context":{"kind":"multi","company":"acme"}}', 'INVALID_CONTEXT'],
  ['a kind without key', '{"context":{"kind":"multi","company":{}}}', 'TARGETING_KEY_MISSING'],
  ['too many bytes', JSON.stringify({ context: { targetingKey: 'a', text: 'x'.repeat(65_536) } }), 'PARSE_ERROR'],
])('a request with %s is refused', async (_, body, errorCode) => {
  const fixture = await createFixture()
  const url = await serve(fixture)
  const refused = await post(one(url, 'checkout'), fixture.keys.server, body)
  expect(refused).toMatchObject({ status: 400, body: { key: 'checkout', errorCode } })
  expect(await post(all(url), fixture.keys.server, body)).toMatchObject({ status: 400, body: { errorCode } })
})

it('a request without a valid key is refused, and the key may be in X-API-Key', async () => {
  const fixture = await createFixture()
  const url = await serve(fixture)
  expect((await post(all(url), 'sdk-unknown', { context: ann })).status).toBe(401)
  const headers = { authorization: '', 'x-api-key': fixture.keys.server }
  const init = {
    method: 'POST',
    headers: { 'x-api-key': headers['x-api-key'] },
    body: JSON.stringify({ context: ann }),
  }
  expect((await fetch(all(url), init)).status).toBe(200)
  expect((await fetch(`${url}/ofrep/v1/changes/unknown`)).status).toBe(404)
})

it('in secure mode a client must prove its context', async () => {
  const fixture = await createFixture()
  const url = await serve(fixture)
  await fixture.patchEnvironment({ op: 'replace', path: '/secureMode', value: true })
  expect((await post(all(url), fixture.keys.id, { context: ann })).status).toBe(400)
  expect((await post(all(url), fixture.keys.server, { context: ann })).status).toBe(200)
})

it('an evaluation of one flag is counted', async () => {
  const fixture = await createFixture()
  const url = await serve(fixture)
  await post(one(url, 'checkout'), fixture.keys.server, { context: ann })
  await post(all(url), fixture.keys.server, { context: ann })
  await fixture.engine.sdk.flush()
  const counts = await fixture.engine.sdk.evaluations({ ...environmentKeys, flagKey: 'checkout' })
  expect(counts.map(({ variation, count }) => ({ variation, count }))).toEqual([{ variation: 1, count: 1 }])
})

it('pages of all origins may send requests with a key, under a mount path', async () => {
  const fixture = await createFixture()
  const handler = withSdk(createFetchHandler(fixture.engine), fixture.engine, { basePath: '/features' })
  const address = all('https://flags.example/features')
  const preflight = await handler(new Request(address, { method: 'OPTIONS' }))
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-headers')).toMatch(/Authorization.*X-API-Key/)
  const headers = { authorization: `Bearer ${fixture.keys.id}` }
  const response = await handler(
    new Request(address, { method: 'POST', headers, body: JSON.stringify({ context: ann }) }),
  )
  const { eventStreams } = (await response.json()) as { eventStreams: { endpoint: { requestUri: string } }[] }
  expect(eventStreams[0]?.endpoint.requestUri).toBe(`/features/ofrep/v1/changes/${fixture.keys.id}`)
})
