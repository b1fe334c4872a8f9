import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { init } from '@launchdarkly/node-server-sdk'
import { expect, it, onTestFinished, vi } from 'vitest'
import { emptyStorage, halyard, halyardProcess, type RunningCommand, temporaryFolder } from './halyard-process.ts'

const token = 'an-administrator-of-tests'

async function startServer(args: readonly string[], env: Record<string, string> = {}, start = halyard) {
  const running = start(['serve', '--port', '0', ...args], env)
  const [, url] = await running.printed(/Halyard serves (\S+) /)
  return { running, url: url as string }
}

/** Sends the request of a printed line: its address and headers, by fetch. */
function curl(line: string): Promise<Response> {
  const headers = [...line.matchAll(/-H '([^:]+): ([^']*)'/g)].map(
    ([, name, value]) => [name, value] as [string, string],
  )
  return fetch(/'(http:[^']+)'$/.exec(line)?.[1] as string, { headers })
}

const curlLines = (running: RunningCommand) =>
  running
    .out()
    .split('\n')
    .filter((line) => line.startsWith('curl '))

it('serve prints its address, the token of the first start, and three calls that work', async () => {
  const { running, url } = await startServer(['--storage', 'memory'], {}, halyardProcess)
  const [, generated] = await running.printed(/shown only now: (api-[0-9a-f]{64})/)
  await running.printed(/(curl [^\n]+\n){3}/)
  expect(curlLines(running)).toHaveLength(3)
  for (const line of curlLines(running)) {
    expect(line).toContain(generated)
    expect((await curl(line)).status).toBe(200)
  }
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
})

it('serve responds to /livez and /readyz without a token', async () => {
  const { url } = await startServer(['--storage', 'memory'])
  for (const path of ['/livez', '/healthz', '/readyz']) expect((await fetch(url + path)).status).toBe(200)
  expect((await fetch(`${url}/api/v2/projects`)).status).toBe(401)
})

it('serve describes the API without a token, with the configured version header', async () => {
  const { url } = await startServer(['--storage', 'memory', '--version-headers', 'X-Version'])
  expect(await (await fetch(`${url}/api/v2/docs`)).text()).toContain('<title>Halyard API</title>')
  const document = (await (await fetch(`${url}/api/v2/openapi.json`)).json()) as never
  expect(document).toMatchObject({
    openapi: '3.1.1',
    components: { parameters: { BetaVersion: { name: 'X-Version' } } },
  })
})

it('serve --demo creates the demo data when the storage is empty, and does not create it again', async () => {
  const storage = emptyStorage(temporaryFolder())
  const first = await startServer(['--storage', storage, '--demo'])
  await first.running.printed(/(curl [^\n]+\n){3}/)
  const [project, chart, references] = await Promise.all(
    curlLines(first.running).map(async (line) => (await curl(line)).json() as Promise<never>),
  )
  expect(project).toMatchObject({ key: 'demo', environments: { totalCount: 2 } })
  // Counted in the published histories, which are moved so that the latest release is from today. Of the six
  // applications, all except openfga and flipt were released in the last thirty days of the excerpt.
  const { series } = chart as unknown as { series: { metadata: { name: string; count: number } }[] }
  expect(series.filter((entry) => entry.metadata.count > 0).map((entry) => entry.metadata.name)).toEqual(
    expect.arrayContaining(['hono', 'payload', 'pocketbase', 'unleash']),
  )
  expect(Object.keys((references as unknown as { flags: object }).flags)).toHaveLength(68)
  const codes = [...first.running.out().matchAll(/http:\S+\/#sign-in=([0-9a-f]{64})/g)].map(([, code]) => code)
  expect(codes).toHaveLength(2)
  for (const [code, name] of [
    [codes[0], 'owner@localhost'],
    [codes[1], 'grace@example.com'],
  ]) {
    const headers = { 'x-requested-with': 'halyard-console', 'content-type': 'application/json' }
    const signIn = { method: 'POST', headers, body: JSON.stringify({ code }) }
    const cookie = (await fetch(`${first.url}/-/sign-in`, signIn)).headers.get('set-cookie') ?? ''
    const session = await fetch(`${first.url}/-/session`, {
      headers: { ...headers, cookie: cookie.split(';')[0] ?? '' },
    })
    expect(await session.json()).toEqual({ signedIn: true, inSession: true, name })
    expect((await fetch(`${first.url}/-/sign-in`, signIn)).status).toBe(400)
  }
  expect((await fetch(`${first.url}/`)).headers.get('content-type')).toBe('text/html; charset=utf-8')
  first.running.signal('SIGTERM')
  expect(await first.running.ended).toBe(0)

  const second = await startServer(['--storage', storage, '--demo'])
  expect(second.running.out()).not.toContain('shown only now')
  expect(second.running.err()).not.toContain('demo data')
})

it('serve creates the administrator with the given token, locks the PGlite directory, and keeps the data after a restart', async () => {
  const storage = `pglite:${temporaryFolder()}/data`
  const headers = { authorization: token, 'content-type': 'application/json' }
  const first = await startServer(['--storage', storage], { HALYARD_TOKEN: token }, halyardProcess)
  const body = JSON.stringify({ key: 'web', name: 'Web' })
  expect((await fetch(`${first.url}/api/v2/projects`, { method: 'POST', headers, body })).status).toBe(201)
  const other = halyardProcess(['serve', '--port', '0', '--storage', storage])
  expect(await other.ended).toBe(1)
  expect(other.err()).toMatch(/^halyard: .*\d+/)
  expect(other.err().trim().split('\n')).toHaveLength(1)
  first.running.signal('SIGINT')
  expect(await first.running.ended).toBe(0)
  const second = await startServer(['--storage', storage], { HALYARD_TOKEN: 'another-token-than-before' })
  expect((await fetch(`${second.url}/api/v2/projects/web`, { headers })).status).toBe(200)
}, 120_000)

it('serve completes a running response after it receives a signal to end', async () => {
  const { running, url } = await startServer(['--storage', 'memory'], { HALYARD_TOKEN: token }, halyardProcess)
  const headers = { authorization: token, 'content-type': 'application/json', expect: '100-continue' }
  const clientRequest = request(`${url}/api/v2/projects`, { method: 'POST', headers })
  clientRequest.flushHeaders()
  // The server sends `100 Continue` when it has received the headers.
  await once(clientRequest, 'continue')
  clientRequest.write('{"key":"slow",')
  running.signal('SIGTERM')
  clientRequest.end('"name":"Slow"}')
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(201)
  response.resume()
  expect(await running.ended).toBe(0)
})

it('serve formats times as numbers, accepts other version headers and disables the rate limit when configured', async () => {
  const { url } = await startServer(['--storage', 'memory'], {
    HALYARD_TOKEN: token,
    HALYARD_WIRE_TIMESTAMPS: 'number',
    HALYARD_VERSION_HEADERS: 'X-Api-Version,SVC-API-Version',
    HALYARD_RATE_LIMIT: 'off',
  })
  const headers = { authorization: token }
  const response = await fetch(`${url}/api/v2/tokens`, { headers })
  const { items } = (await response.json()) as { items: { creationDate: unknown }[] }
  expect(typeof items[0]?.creationDate).toBe('number')
  expect(response.headers.get('x-ratelimit-reset')).toBeNull()
  const beta = `${url}/api/v2/engineering-insights/charts/lead-time`
  expect((await fetch(beta, { headers })).status).toBe(403)
  expect((await fetch(beta, { headers: { ...headers, 'x-api-version': 'beta' } })).status).toBe(400)
})

it('serve names the configured role for data exports in trust policies', async () => {
  const arn = 'arn:aws:iam::123456789012:role/data-export'
  const { url } = await startServer(['--storage', 'memory', '--data-export-role-arn', arn], { HALYARD_TOKEN: token })
  const headers = { authorization: token, 'content-type': 'application/json' }
  const project = JSON.stringify({ key: 'web', name: 'Web' })
  await fetch(`${url}/api/v2/projects`, { method: 'POST', headers, body: project })
  const path = '/api/v2/destinations/projects/web/environments/test/generate-trust-policy'
  const response = await fetch(`${url}${path}`, { method: 'POST', headers })
  expect(response.status).toBe(201)
  expect(await response.text()).toContain(`"AWS":"${arn}"`)
})

it.each([
  [['--storage', 'floppy:a'], /--storage must be memory, sqlite:<file>, pglite:<directory> or postgres/],
  [['--storage', 'postgres://user:secret@127.0.0.1:1/x'], /storage|connect|refused/i],
  [['--storage', 'pglite:/dev/null/halyard'], /\/dev\/null\/halyard/],
  [['--port', 'http'], /--port must be a number/],
  [['--storage', 'memory', '--remember', '1.5'], /--remember must be a whole number of MiB, not "1\.5"/],
  [['--colour'], /--colour/],
  [['--trusted-proxies', '10.0.0.0/8,proxy'], /--trusted-proxies: "proxy" must be an IPv4 or IPv6 address/],
  [['--storage', 'memory', '--data-export-role-arn', 'nobody'], /must be the ARN of an IAM role/],
  [['--token', 'short', '--storage', 'memory'], /16 to 512/],
])('an error ends the command with one line and exit code 1: serve %j', async (args, line) => {
  const running = halyard(['serve', '--port', '0', ...args])
  expect(await running.ended).toBe(1)
  expect(running.err().trim().split('\n')).toHaveLength(1)
  expect(running.err()).toMatch(/^halyard: /)
  expect(running.err()).toMatch(line)
  expect(running.err()).not.toContain('secret')
})

it('serve reports that the port is in use', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  const running = halyardProcess(['serve', '--storage', 'memory', '--port', String(port)])
  expect(await running.ended).toBe(1)
  expect(running.err()).toBe(`halyard: port ${port} on 127.0.0.1 is in use; choose another with --port\n`)
})

it('serve sends webhooks immediately after a change, and to private addresses only when they are allowed', async () => {
  const titleVerbs: string[] = []
  const receiver = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    titleVerbs.push(JSON.parse(body).titleVerb)
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void receiver.close())
  const webhook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const attempts: unknown[] = []
  for (const allowed of ['1', '']) {
    const env = { HALYARD_TOKEN: token, HALYARD_WEBHOOK_ALLOW_PRIVATE: allowed }
    const { running, url } = await startServer(['--storage', 'memory'], env)
    const call = async (method: string, path: string, body?: object) => {
      const headers = { authorization: token, 'content-type': 'application/json' }
      const response = await fetch(`${url}${path}`, { method, headers, body: body && JSON.stringify(body) })
      return response.json() as Promise<Record<string, never>>
    }
    const { _id } = await call('POST', '/api/v2/webhooks', { url: webhook, on: true, sign: true })
    await call('POST', '/api/v2/projects', { key: 'web', name: 'Web' })
    const { items } = await vi.waitFor(async () => {
      const page = await call('GET', `/api/v2/webhooks/${_id}/deliveries`)
      expect(page.items).toHaveLength(1)
      return page
    }, 10_000)
    attempts.push(
      ...(items as unknown as { outcome: string; reason?: string }[]).map(({ outcome, reason }) => [outcome, reason]),
    )
    running.signal('SIGTERM')
    expect(await running.ended).toBe(0)
  }
  expect(titleVerbs).toEqual(['created the project Web'])
  expect(attempts).toEqual([
    ['success', undefined],
    ['failure', 'The URL leads to an address that is not allowed.'],
  ])
})

it('serve notifies SDKs of changes, and ends while they are connected', async () => {
  const { running, url } = await startServer(['--storage', 'memory', '--token', token])
  const api = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}/api/v2${path}`, {
      method,
      headers: { authorization: token, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    })
    expect(response.ok).toBe(true)
    return (await response.json()) as never
  }
  await api('POST', '/projects', { key: 'web', name: 'Web' })
  await api('POST', '/flags/web', { key: 'checkout', name: 'Checkout' })
  const { apiKey } = (await api('GET', '/projects/web/environments/production')) as { apiKey: string }
  const logger = { error() {}, warn() {}, info() {}, debug() {} }
  const client = init(apiKey, { baseUri: url, streamUri: url, eventsUri: url, logger })
  onTestFinished(() => client.close())
  await client.waitForInitialization({ timeout: 20 })
  const update = new Promise((resolve) => client.once('update:checkout', resolve))
  await api('PATCH', '/flags/web/checkout', [
    { op: 'replace', path: '/environments/production/on', value: true },
  ] as never)
  await update
  expect(await client.variation('checkout', { kind: 'user', key: 'ann' }, false)).toBe(true)
  await client.flush()
  running.signal('SIGTERM')
  expect(await running.ended).toBe(0)
})

it('serve reads the address of a client from X-Forwarded-For behind trusted proxies only', async () => {
  const env = { HALYARD_TOKEN: token }
  const beta = { authorization: token, 'svc-api-version': 'beta', 'content-type': 'application/json' }
  const statuses = async (url: string) => {
    const send = (method: string, body: object, address = '203.0.113.5') =>
      fetch(`${url}/api/v2/account/ip-allowlist`, {
        method,
        headers: { ...beta, 'x-forwarded-for': address },
        body: JSON.stringify(body),
      })
    expect((await send('POST', { ipAddress: '203.0.113.5' })).status).toBe(201)
    const enabled = await send('PATCH', { apiTokenAllowlistEnabled: true })
    const refused = await send('PATCH', { apiTokenAllowlistEnabled: true }, '203.0.113.6')
    const mcp = await fetch(`${url}/mcp`, { headers: { ...beta, 'x-forwarded-for': '203.0.113.6' } })
    return [enabled.status, refused.status, mcp.status]
  }
  const trusting = await startServer(['--storage', 'memory', '--trusted-proxies', '127.0.0.1, 10.0.0.0/8'], env)
  expect(await statuses(trusting.url)).toEqual([200, 403, 403])
  // Without the option, the address of the client is that of the connection, and the client cannot lock itself out.
  const direct = await startServer(['--storage', 'memory'], env)
  expect(await statuses(direct.url)).toEqual([400, 400, 405])
})
