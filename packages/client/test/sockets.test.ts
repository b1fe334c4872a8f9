import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTestEngine } from '@halyard/testing'
import { createExpressHandler } from '@halyard/transport-express'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, NetworkError } from '../src/index.ts'

/** Handles a request in place of the engine. */
type Failure = (...[, response]: Parameters<RequestListener>) => void

const respondsWith =
  (status: number, code: string): Failure =>
  (_, response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' })
      .end(JSON.stringify({ code, message: 'Later' }))
const closes: Failure = (_, response) => void response.destroy()
const closesInBody: Failure = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
  response.write('{"items":', () => response.destroy())
}
const neverResponds: Failure = () => {}

describe('the client over TCP connections', () => {
  const failures: Failure[] = []
  const seen: string[] = []
  let onRequest = () => {}
  const server = createServer()
  let close = async () => {}
  let service: Awaited<ReturnType<typeof open>>

  async function open() {
    const engine = await createTestEngine()
    const handler = createExpressHandler(engine)
    server.on('request', (request, response) => {
      seen.push(`${request.method} ${request.url}`)
      onRequest()
      const failure = failures.shift()
      if (failure) failure(request, response)
      else handler(request, response)
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    close = async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
      await engine.close()
    }
    return { baseUrl, engine, api: createClient({ baseUrl, token: engine.admin, random: () => 0 }).api }
  }

  beforeAll(async () => {
    service = await open()
  })
  afterAll(() => close())

  it('retries after a 429, a 503 and a closed connection', async () => {
    const { api } = service
    failures.push(respondsWith(429, 'rate_limited'), respondsWith(503, 'service_unavailable'))
    expect(await api.createProject({ body: { key: 'web', name: 'Web' } })).toMatchObject({ key: 'web' })
    failures.push(closes, closesInBody, respondsWith(503, 'service_unavailable'))
    expect(await api.listProjects()).toMatchObject({ totalCount: 1 })
    expect(seen.filter((line) => line.startsWith('POST'))).toHaveLength(3)
    expect(seen.filter((line) => line.startsWith('GET'))).toHaveLength(4)
  })

  it('does not repeat a POST that the server may have processed', async () => {
    const { api } = service
    failures.push(closes)
    const error = await api.createProject({ body: { key: 'shop', name: 'Shop' } }).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(NetworkError)
    expect((error as NetworkError).cause).toBeInstanceOf(Error)
    expect(await api.listProjects()).toMatchObject({ totalCount: 1 })
  })

  it('closes the connection when the signal is aborted', async () => {
    const { api } = service
    const controller = new AbortController()
    const closed = new Promise<void>((resolve) => failures.push((_, response) => response.on('close', resolve)))
    const arrived = new Promise<void>((arrive) => {
      onRequest = arrive
    })
    const call = api.listProjects({}, { signal: controller.signal }).catch((error: unknown) => error)
    await arrived
    controller.abort()
    expect(await call).toMatchObject({ name: 'AbortError' })
    await closed
  })

  it('rejects at the timeout', async () => {
    const { baseUrl, engine } = service
    const { api } = createClient({ baseUrl, token: engine.admin, timeout: 50, retries: 0 })
    failures.push(neverResponds)
    await expect(api.listProjects()).rejects.toBeInstanceOf(NetworkError)
  })

  it('uploads and downloads files that exceed the buffers of a connection', async () => {
    const { api, engine } = service
    const segment = { projectKey: 'web', environmentKey: 'test', segmentKey: 'big' }
    await engine.given.segment('web', 'test', 'big', { unbounded: true })
    async function* lines() {
      for (let i = 0; i < 20; i++) yield Array.from({ length: 1000 }, (_, j) => `user-${i}-${j}\n`).join('')
    }
    await api.createBigSegmentImport({ ...segment, body: { file: lines(), filename: 'a.csv', mode: 'replace' } })
    const { id } = await api.createBigSegmentExport(segment)
    let text = ''
    for await (const chunk of await api.getBigSegmentExportFile({ ...segment, exportId: id as string })) text += chunk
    expect(text.match(/user-\d+-\d+/g)).toHaveLength(20_000)
  })
})
