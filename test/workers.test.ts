import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Miniflare, type MiniflareOptions, Response as WorkerResponse } from 'miniflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withConsoleFiles } from './homes/bundle-console.ts'
import { type Bundles, bundleModules } from './homes/bundle-modules.ts'
import { useConsole } from './homes/test-console.ts'
import { hostToken, testHost } from './homes/test-host.ts'
import { longTests } from './setup/long-tests.ts'

/** The applications, with their bindings, and a function that makes each run its due tasks. */
const applications = {
  'a Durable Object': {
    example: 'workers-durable-object',
    bindings: (directory: string): Partial<MiniflareOptions> => ({
      durableObjectsPersist: directory,
      durableObjects: { ACCOUNTS: { className: 'HalyardAccount', useSQLite: true } },
    }),
    // The alarm of the object runs due tasks.
    runTasks: async (_: Miniflare) => {},
  },
  D1: {
    example: 'workers-d1',
    bindings: (directory: string): Partial<MiniflareOptions> => ({ d1Persist: directory, d1Databases: ['DATABASE'] }),
    runTasks: async (worker: Miniflare) => {
      // Cast: the type of Miniflare needs the declarations of workers, which the repository does not have.
      const fetcher = (await worker.getWorker()) as unknown as { scheduled(): Promise<unknown> }
      await fetcher.scheduled()
    },
  },
}

let bundles: Bundles
let directory: string
beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'halyard-worker-'))
  const entries = Object.values(applications).map(({ example }) => [
    example,
    `docs/examples/homes/${example}/worker.ts`,
  ])
  const { external, plugins } = await withConsoleFiles()
  bundles = await bundleModules(Object.fromEntries(entries), {
    external: ['cloudflare:workers', ...external],
    plugins,
  })
}, 120_000)
afterAll(() => {
  bundles.remove()
  rmSync(directory, { recursive: true, force: true })
})

const changeCount = longTests ? 500 : 60
const authorization = { authorization: hostToken }

describe.each(Object.entries(applications))('an application on %s in workerd', (_, { example, bindings, runTasks }) => {
  const startWorker = (data: string, options: Partial<MiniflareOptions> = {}) =>
    new Miniflare({
      modules: [{ type: 'ESModule', path: 'worker.mjs', contents: readFileSync(bundles.fileOf(example), 'utf8') }],
      compatibilityDate: '2025-06-01',
      bindings: { HALYARD_TOKEN: hostToken },
      ...bindings(path.join(directory, example, data)),
      ...options,
    } as MiniflareOptions)
  const post = (worker: Miniflare, address: string, body: unknown) =>
    worker.dispatchFetch(`http://localhost${address}`, {
      method: 'POST',
      headers: { ...authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  testHost(
    async () => {
      const worker = startWorker('host')
      const { port } = await worker.ready
      return { port: Number(port), stop: () => worker.dispose() }
    },
    '',
    120_000,
  )

  it(`keeps ${changeCount} concurrent changes over a restart`, async () => {
    const first = startWorker('changes')
    await first.ready
    expect((await post(first, '/api/v2/projects', { key: 'web', name: 'Web' })).status).toBe(201)
    const keys = Array.from({ length: changeCount }, (_, i) => `flag-${i}`)
    const statuses: number[] = []
    const createFlags = async () => {
      for (let key = keys.pop(); key; key = keys.pop()) {
        const response = await post(first, '/api/v2/flags/web', { key, name: key })
        statuses.push(response.status)
        await response.text()
      }
    }
    await Promise.all(Array.from({ length: 25 }, createFlags))
    expect(statuses).toEqual(Array(changeCount).fill(201))
    await first.dispose()

    const second = startWorker('changes')
    const flags = await second.dispatchFetch('http://localhost/api/v2/flags/web?limit=1', { headers: authorization })
    expect((await flags.json()) as unknown).toMatchObject({ totalCount: changeCount })
    const environment = await second.dispatchFetch('http://localhost/api/v2/projects/web/environments/production', {
      headers: authorization,
    })
    const { apiKey } = (await environment.json()) as { apiKey: string }
    const payload = await second.dispatchFetch('http://localhost/sdk/latest-all', {
      headers: { authorization: apiKey },
    })
    expect(Object.keys(((await payload.json()) as { flags: object }).flags)).toHaveLength(changeCount)
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
    const webhook = await post(worker, '/api/v2/webhooks', {
      url: 'https://hooks.example.com/flags',
      sign: false,
      on: true,
    })
    expect([webhook.status, await webhook.text()]).toEqual([201, expect.any(String)])
    const project = await post(worker, '/api/v2/projects', { key: 'web', name: 'Web' })
    expect([project.status, await project.text()]).toEqual([201, expect.any(String)])
    await runTasks(worker)
    expect(await received).toBe('https://hooks.example.com/flags')
    await worker.dispose()
  }, 120_000)

  it('serves the console with its live changes', { timeout: 120_000 }, async () => {
    const worker = startWorker('console')
    await useConsole((await worker.ready).origin, authorization)
    await worker.dispose()
  })
})
