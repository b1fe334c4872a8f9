import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTestEngine } from '@halyard/testing'
import { createExpressHandler } from '@halyard/transport-express'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, NetworkError } from '../src/index.ts'

/** What a server does with a request instead of answering it well. */
type Trouble = (...[, response]: Parameters<RequestListener>) => void

const refuses =
  (status: number, code: string): Trouble =>
  (_, response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' })
      .end(JSON.stringify({ code, message: 'Later' }))
const cuts: Trouble = (_, response) => void response.destroy()
const cutsTheAnswer: Trouble = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
  response.write('{"items":', () => response.destroy())
}
const hangs: Trouble = () => {}

describe('over connections', () => {
  const troubles: Trouble[] = []
  const seen: string[] = []
  let reached = () => {}
  const server = createServer()
  let close = async () => {}
  let made: Awaited<ReturnType<typeof open>>

  async function open() {
    const engine = await createTestEngine()
    const handler = createExpressHandler(engine)
    server.on('request', (request, response) => {
      seen.push(`${request.method} ${request.url}`)
      reached()
      const trouble = troubles.shift()
      if (trouble) trouble(request, response)
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
    made = await open()
  })
  afterAll(() => close())

  it('comes through too many requests, unavailability and cut lines', async () => {
    const { api } = made
    troubles.push(refuses(429, 'rate_limited'), refuses(503, 'service_unavailable'))
    expect(await api.createProject({ body: { key: 'web', name: 'Web' } })).toMatchObject({ key: 'web' })
    troubles.push(cuts, cutsTheAnswer, refuses(503, 'service_unavailable'))
    expect(await api.listProjects()).toMatchObject({ totalCount: 1 })
    expect(seen.filter((line) => line.startsWith('POST'))).toHaveLength(3)
    expect(seen.filter((line) => line.startsWith('GET'))).toHaveLength(4)
  })

  it('does not send twice what may have been done', async () => {
    const { api } = made
    troubles.push(cuts)
    const error = await api.createProject({ body: { key: 'shop', name: 'Shop' } }).catch((one: unknown) => one)
    expect(error).toBeInstanceOf(NetworkError)
    expect((error as NetworkError).cause).toBeInstanceOf(Error)
    expect(await api.listProjects()).toMatchObject({ totalCount: 1 })
  })

  it('gives up when told to, and the server sees it', async () => {
    const { api } = made
    const controller = new AbortController()
    const gone = new Promise<void>((closed) => troubles.push((_, response) => response.on('close', closed)))
    const arrived = new Promise<void>((arrive) => {
      reached = arrive
    })
    const call = api.listProjects({}, { signal: controller.signal }).catch((error: unknown) => error)
    await arrived
    controller.abort()
    expect(await call).toMatchObject({ name: 'AbortError' })
    await gone
  })

  it('ends when nothing comes', async () => {
    const { baseUrl, engine } = made
    const { api } = createClient({ baseUrl, token: engine.admin, timeout: 50, retries: 0 })
    troubles.push(hangs)
    await expect(api.listProjects()).rejects.toBeInstanceOf(NetworkError)
  })

  it('carries files of more than a connection holds, both ways', async () => {
    const { api, engine } = made
    const segment = { projectKey: 'web', environmentKey: 'test', segmentKey: 'big' }
    await engine.given.segment('web', 'test', 'big', { unbounded: true })
    async function* lines() {
      for (let i = 0; i < 20; i++) yield Array.from({ length: 1000 }, (_, at) => `user-${i}-${at}\n`).join('')
    }
    await api.createBigSegmentImport({ ...segment, body: { file: lines(), filename: 'a.csv', mode: 'replace' } })
    const { id } = await api.createBigSegmentExport(segment)
    let text = ''
    for await (const piece of await api.getBigSegmentExportFile({ ...segment, exportId: id as string })) text += piece
    expect(text.match(/user-\d+-\d+/g)).toHaveLength(20_000)
  })
})
