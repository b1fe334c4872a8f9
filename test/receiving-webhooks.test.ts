import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { signWebhook } from '@halyard/core/webhooks'
import { createWebhookSender } from '@halyard/webhook-sender'
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { receive } from '../docs/examples/webhooks/fetch.ts'
import { server as nodeServer } from '../docs/examples/webhooks/node-http.ts'
import { isSigned } from '../docs/examples/webhooks/older-header.ts'
import { root } from './source-imports.ts'

const examples = path.join(root, 'docs/examples/webhooks')
const guide = readFileSync(path.join(root, 'docs/guide/receiving-webhooks.md'), 'utf8')

// The example is JavaScript because Express ships no type declarations.
const expressExample: string = '../docs/examples/webhooks/express.mjs'
const { app }: { app: RequestListener } = await import(expressExample)

const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const body = JSON.stringify({ title: 'Ada turned on Größe in Test' })
const log = vi.spyOn(console, 'log').mockImplementation(() => {})
afterAll(() => log.mockRestore())
beforeEach(() => {
  vi.stubEnv('WEBHOOK_SECRET', secret)
  log.mockClear()
})

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/flags`
}

type PostWebhook = (headers: Record<string, string>, body: string) => Promise<number>

/** Posts with the webhook sender itself. */
async function overHttp(server: Server): Promise<PostWebhook> {
  const url = await listen(server)
  const send = createWebhookSender({ allowPrivate: true })
  onTestFinished(() => send.close())
  return async (headers, body) => {
    const outcome = await send({ url, headers, body, timeoutMs: 5_000 })
    return outcome.outcome === 'answered' ? outcome.status : 0
  }
}

const receivers: readonly (readonly [string, () => Promise<PostWebhook>])[] = [
  ['Express', () => overHttp(createServer(app))],
  ['node:http', () => overHttp(nodeServer)],
  [
    'fetch',
    async () => async (headers, body) =>
      (await receive(new Request('https://example.com/', { method: 'POST', headers, body }))).status,
  ],
]

describe.each(receivers)('the receiver of the guide with %s', (_, open) => {
  const signedHeaders = async (options: { id?: string; ago?: number; secrets?: readonly string[] } = {}) => {
    const { id = crypto.randomUUID(), ago = 0, secrets = [secret] } = options
    const headers = await signWebhook({ id, timestampMs: Date.now() - ago, body, secrets })
    return { 'content-type': 'application/json', ...headers }
  }

  it('processes a message once and responds 204 each time', async () => {
    const post = await open()
    const headers = await signedHeaders()
    expect([await post(headers, body), await post(headers, body)]).toEqual([204, 204])
    expect(log.mock.calls).toEqual([['Ada turned on Größe in Test']])
  })

  it('refuses messages without a signature, with an old timestamp, a wrong secret or a changed body', async () => {
    const post = await open()
    const invalidHeaders = [
      { 'content-type': 'application/json' },
      await signedHeaders({ ago: 301_000 }),
      await signedHeaders({ secrets: ['x'] }),
    ]
    for (const headers of invalidHeaders) expect(await post(headers, body)).toBe(401)
    expect(await post(await signedHeaders(), body.replace('on', 'off'))).toBe(401)
    expect(log).not.toHaveBeenCalled()
  })
})

describe('the guide to receiving webhooks', () => {
  it('shows every example exactly as it is compiled and run, and no other code', () => {
    const blocks = [...guide.matchAll(/^```(?:ts|js)\n(.*?)^```/gms)].map(([, text]) => text)
    const files = readdirSync(examples).map((name) => readFileSync(path.join(examples, name), 'utf8'))
    expect(blocks.sort()).toEqual(files.sort())
  })

  it('verifies the older signature header', async () => {
    const headers = await signWebhook({ id: 'a', timestampMs: 0, body, secrets: [secret] })
    const header = headers['X-SVC-Signature'] as string
    expect(isSigned(header, Buffer.from(body), secret)).toBe(true)
    for (const invalidHeader of ['', header.slice(1), header.toUpperCase(), `${header}0`]) {
      expect(isSigned(invalidHeader, Buffer.from(body), secret)).toBe(false)
    }
    expect(isSigned(header, Buffer.from(`${body} `), secret)).toBe(false)
  })

  it('names every reason for a refusal', () => {
    const reasons = ['missing-header', 'bad-timestamp', 'too-old', 'too-new', 'no-match']
    for (const reason of reasons) expect(guide).toContain(`\`${reason}\``)
  })
})
