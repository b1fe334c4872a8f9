import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTestEngine } from '@halyard/testing'
import { createFetchHandler } from '@halyard/transport-fetch'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createExpressMcp, withMcp } from '../src/index.ts'

type TestEngine = Awaited<ReturnType<typeof createTestEngine>>

async function testEngine(): Promise<TestEngine> {
  const engine = await createTestEngine()
  onTestFinished(() => engine.close())
  const as = engine.admin
  await engine.api.createProject({ body: { key: 'web', name: 'Web shop' } }, { as })
  await engine.api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as })
  return engine
}

const endpoints = {
  'a fetch handler': async (engine: TestEngine) => {
    const handler = withMcp(createFetchHandler(engine), engine)
    return {
      url: 'http://localhost/mcp',
      fetch: (url: string | URL, init?: RequestInit) => handler(new Request(url, init)),
    }
  },
  'node:http': async (engine: TestEngine) => {
    const server = createServer(createExpressMcp(engine))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close().closeAllConnections())
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, fetch }
  },
}

interface Endpoint {
  readonly url: string
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>
}

async function connect({ url, fetch }: Endpoint, token: string) {
  const client = new Client({ name: 'test', version: '1' })
  const headers = { authorization: `Bearer ${token}` }
  // Cast: the transport's optional properties do not allow undefined.
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch, requestInit: { headers } }) as never)
  onTestFinished(() => client.close())
  return {
    client,
    async call(name: string, args: object) {
      const { content, isError = false } = await client.callTool({ name, arguments: { ...args } })
      return { text: (content as { readonly text: string }[]).map(({ text }) => text).join('\n'), isError }
    },
  }
}

const turnOn = {
  projectKey: 'web',
  flagKey: 'checkout',
  body: { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] },
}

async function isOn(engine: TestEngine): Promise<boolean | undefined> {
  const flag = await engine.api.getFlag({ projectKey: 'web', flagKey: 'checkout' }, { as: engine.admin })
  return flag.environments?.production?.on
}

describe.each(Object.entries(endpoints))('a session over %s', (_, open) => {
  it('reads, previews a change, and makes it when it is confirmed', async () => {
    const engine = await testEngine()
    const { client, call } = await connect(await open(engine), engine.admin)
    const { tools } = await client.listTools()
    expect(tools.find(({ name }) => name === 'getFlag')?.annotations).toMatchObject({ readOnlyHint: true })
    expect(tools.find(({ name }) => name === 'deleteFlag')?.annotations).toMatchObject({ destructiveHint: true })
    expect(JSON.parse((await call('getFlag', { projectKey: 'web', flagKey: 'checkout' })).text).key).toBe('checkout')
    const preview = await call('patchFlag', turnOn)
    expect(preview.text).toMatch(/^Would change: \S+ turned on Checkout in Production$/m)
    expect(await isOn(engine)).toBe(false)
    expect((await call('patchFlag', { ...turnOn, confirm: true })).isError).toBe(false)
    expect(await isOn(engine)).toBe(true)
  })

  it('responds with 401 to a request without a valid token', async () => {
    const engine = await testEngine()
    const endpoint = await open(engine)
    for (const token of ['', 'api-00000000-0000-4000-8000-000000000000']) {
      const response = await endpoint.fetch(endpoint.url, { method: 'POST', headers: { authorization: token } })
      expect(response.status).toBe(401)
    }
  })

  it('responds with 405 to methods other than POST', async () => {
    const engine = await testEngine()
    const endpoint = await open(engine)
    const headers = { authorization: engine.admin, accept: 'text/event-stream' }
    for (const method of ['GET', 'DELETE']) {
      const response = await endpoint.fetch(endpoint.url, { method, headers })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    }
  })

  it('refuses a request of more than 4 MiB, and answers the next one', async () => {
    const engine = await testEngine()
    const endpoint = await open(engine)
    const headers = {
      authorization: engine.admin,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const post = async (method: string) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method })
      return (await endpoint.fetch(endpoint.url, { method: 'POST', headers, body })).status
    }
    expect(await post('x'.repeat(4 * 1024 * 1024))).toBe(413)
    expect(await post('tools/list')).toBe(200)
  })
})

it('a preview of a change that cannot be simulated shows the response, and a call that would fail is refused', async () => {
  const engine = await testEngine()
  const { call } = await connect(await endpoints['a fetch handler'](engine), engine.admin)
  const preview = await call('createFlag', { projectKey: 'web', body: { key: 'search', name: 'Search' } })
  expect(preview.text).toContain('"key":"search"')
  expect(preview.text).toContain('Nothing was changed')
  expect(await call('createFlag', { projectKey: 'web', body: { key: 'checkout', name: 'Again' } })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^Refused \(optimistic_locking_error\)|^Refused \(invalid_request\)/),
  })
  expect((await engine.api.listFlags({ projectKey: 'web' }, { as: engine.admin })).totalCount).toBe(1)
})

it('a change that needs approval ends in an approval request, and the flag is not changed', async () => {
  const engine = await testEngine()
  const settings = { environmentKey: 'production', required: true }
  await engine.api.patchApprovalRequestSettings({ projectKey: 'web', body: settings }, { as: engine.admin })
  const { call } = await connect(await endpoints['a fetch handler'](engine), engine.admin)
  expect((await call('patchFlag', turnOn)).text).toContain(
    'Needs approval: The environment production requires approval',
  )
  const confirmed = await call('patchFlag', { ...turnOn, confirm: true })
  expect(confirmed.text).toMatch(/Nothing was changed\. The approval request [\w-]+ was created\./)
  expect(await isOn(engine)).toBe(false)
  const { items } = await engine.api.listApprovalRequests({}, { as: engine.admin })
  expect(items.map(({ instructions }) => instructions)).toEqual([[{ kind: 'turnFlagOn' }]])
})

describe('a policy that limits the token', () => {
  const policy = [
    { effect: 'allow', resources: ['proj/*'], actions: ['viewProject'] },
    { effect: 'allow', resources: ['proj/*:env/test:flag/*'], actions: ['updateOn'] },
  ] as const

  async function limitedSession(engine: TestEngine) {
    const handler = withMcp(createFetchHandler(engine), engine, { policy })
    const fetch = (url: string | URL, init?: RequestInit) => handler(new Request(url, init))
    return connect({ url: 'http://localhost/mcp', fetch }, engine.admin)
  }

  it('hides other tools, which cannot be called either', async () => {
    const { client, call } = await limitedSession(await testEngine())
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names).toContain('patchFlag')
    expect(names).not.toContain('deleteFlag')
    await expect(call('deleteFlag', { projectKey: 'web', flagKey: 'checkout' })).rejects.toThrow(
      'Unknown tool deleteFlag',
    )
  })

  it('refuses other changes, and names the right that the policy lacks', async () => {
    const engine = await testEngine()
    const { call } = await limitedSession(engine)
    const refused = await call('patchFlag', { ...turnOn, confirm: true })
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringContaining('statement 2 of role `policy` allows it for'),
    })
    expect(await isOn(engine)).toBe(false)
    const inTest = { ...turnOn, body: { ...turnOn.body, environmentKey: 'test' }, confirm: true }
    expect((await call('patchFlag', inTest)).isError).toBe(false)
  })
})
