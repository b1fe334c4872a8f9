import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Miniflare, type MiniflareOptions, Response as WorkerResponse } from 'miniflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bundles, bundleModules } from './homes/bundle-modules.ts'
import { hostToken, testHost } from './homes/test-host.ts'

const applications = {
  'workers-d1': { d1Databases: ['DATABASE'] },
  'workers-durable-object': { durableObjects: { ACCOUNTS: { className: 'HalyardAccount', useSQLite: true } } },
}

let bundles: Bundles
beforeAll(async () => {
  const entries = Object.keys(applications).map((name) => [name, `docs/examples/homes/${name}/worker.ts`])
  bundles = await bundleModules(Object.fromEntries(entries), { external: ['cloudflare:workers'] })
}, 120_000)
afterAll(() => bundles.remove())

const authorization = { authorization: hostToken }

describe.each(Object.entries(applications))('%s in workerd', (name, bindings) => {
  let directory: string
  beforeAll(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'halyard-worker-'))
  })
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  const startWorker = (data: string, options: Partial<MiniflareOptions> = {}) =>
    new Miniflare({
      modules: true,
      script: readFileSync(bundles.fileOf(name), 'utf8'),
      compatibilityDate: '2025-06-01',
      bindings: { HALYARD_TOKEN: hostToken },
      d1Persist: path.join(directory, data),
      durableObjectsPersist: path.join(directory, data),
      ...bindings,
      ...options,
    } as MiniflareOptions)

  testHost(
    async () => {
      const worker = startWorker('host')
      const { port } = await worker.ready
      return { port: Number(port), stop: () => worker.dispose() }
    },
    '',
    120_000,
  )

  it('keeps 500 concurrent changes over a restart', async () => {
    const first = startWorker('changes')
    await first.ready
    const post = (worker: Miniflare, address: string, body: unknown) =>
      worker.dispatchFetch(`http://localhost${address}`, {
        method: 'POST',
        headers: { ...authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    expect((await post(first, '/api/v2/projects', { key: 'web', name: 'Web' })).status).toBe(201)
    const keys = Array.from({ length: 500 }, (_, i) => `flag-${i}`)
    const responses = await Promise.all(keys.map((key) => post(first, '/api/v2/flags/web', { key, name: key })))
    expect(responses.filter(({ status }) => status !== 201).map(({ status }) => status)).toEqual([])
    await Promise.all(responses.map((response) => response.text()))
    await first.dispose()

    const second = startWorker('changes')
    const flags = await second.dispatchFetch('http://localhost/api/v2/flags/web?limit=1', { headers: authorization })
    expect((await flags.json()) as unknown).toMatchObject({ totalCount: 500 })
    const environment = await second.dispatchFetch('http://localhost/api/v2/projects/web/environments/production', {
      headers: authorization,
    })
    const { apiKey } = (await environment.json()) as { apiKey: string }
    const payload = await second.dispatchFetch('http://localhost/sdk/latest-all', {
      headers: { authorization: apiKey },
    })
    expect(Object.keys(((await payload.json()) as { flags: object }).flags)).toHaveLength(500)
    await second.dispose()
  }, 300_000)

  it('sends the webhook of a change', async () => {
    let receive: (url: string) => void = () => {}
    const received = new Promise<string>((resolve) => (receive = resolve))
    const worker = startWorker('webhooks', {
      outboundService: (request: { url: string }) => {
        receive(request.url)
        return new WorkerResponse('ok')
      },
    } as Partial<MiniflareOptions>)
    const post = (address: string, body: unknown) =>
      worker.dispatchFetch(`http://localhost${address}`, {
        method: 'POST',
        headers: { ...authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const webhook = await post('/api/v2/webhooks', { url: 'https://hooks.example.com/flags', sign: false, on: true })
    expect([webhook.status, await webhook.text()]).toEqual([201, expect.any(String)])
    const project = await post('/api/v2/projects', { key: 'web', name: 'Web' })
    expect([project.status, await project.text()]).toEqual([201, expect.any(String)])
    // A Durable Object has an alarm of its own.
    if (name === 'workers-d1') await (await worker.getWorker()).scheduled({ cron: '* * * * *' })
    expect(await received).toBe('https://hooks.example.com/flags')
    await worker.dispose()
  }, 120_000)
})
