import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { createEngine, type Engine, type LogEntry } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
// @ts-expect-error express ships no declarations of its own
import express from 'express'
import { afterEach, describe, expect, it } from 'vitest'
import { createExpressHandler, type ExpressHandler } from './index.ts'

const token = 'api-administrator-0001'
const project = JSON.stringify({ key: 'shop', name: 'Shop' })
const closers: (() => void)[] = []

afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function makeEngine() {
  const log: LogEntry[] = []
  const engine = createEngine({ storage: createMemoryStorage(), bodyLimit: 1000, log: (entry) => log.push(entry) })
  await engine.bootstrap({ token })
  return { engine, log }
}

async function listen(listener: RequestListener) {
  const server = createServer(listener)
  const connections: Socket[] = []
  server.on('connection', (socket) => connections.push(socket))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closers.push(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  return { port, connections, origin: `http://127.0.0.1:${port}` }
}

async function listenWith(mount: (handler: ExpressHandler) => RequestListener) {
  const { engine, log } = await makeEngine()
  return { log, ...(await listen(mount(createExpressHandler(engine)))) }
}

const get = (url: string) => fetch(url, { headers: { authorization: token } })

function post(origin: string, body: string, type = 'application/json', path = '/api/v2/projects') {
  return fetch(origin + path, { method: 'POST', headers: { authorization: token, 'content-type': type }, body })
}

const requestHead = (...lines: string[]) =>
  ['POST /api/v2/projects HTTP/1.1', 'host: localhost', `authorization: ${token}`, ...lines, '', ''].join('\r\n')

/** Returns everything that a server sends on a connection until it is closed, normally or with an error. */
function receivedText(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => (text += String(chunk))).on('error', () => {})
  return new Promise((resolve) => socket.on('close', () => resolve(text)))
}

async function withBigSegment() {
  const { engine, log } = await makeEngine()
  const as = token
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  const environmentParams = { projectKey: 'web', environmentKey: 'production' }
  await engine.api.createSegment({ ...environmentParams, body: { key: 'big', name: 'Big', unbounded: true } }, { as })
  return { engine, log, ...(await listen(createExpressHandler(engine))) }
}

const segmentOf = (engine: Engine) =>
  engine.api.getSegment({ projectKey: 'web', environmentKey: 'production', segmentKey: 'big' }, { as: token })

const uploadRequestHead = (...lines: string[]) =>
  requestHead('content-type: text/csv', ...lines).replace('/projects', '/segments/web/production/big/imports')

describe('paths', () => {
  it('outside the API are passed to the next handler', async () => {
    const { origin } = await listenWith((handler) =>
      express()
        .use(handler)
        .use((_: unknown, res: { end(text: string): void }) => res.end('next')),
    )
    for (const path of [
      '/',
      '/api',
      '/api/v',
      '/api/v22',
      '/api/v1/projects',
      '/x/api/v2/projects',
      '/API/v2/projects',
    ]) {
      expect(await (await get(origin + path)).text()).toBe('next')
    }
    for (const path of ['/api/v2/nothing', '/api/v2/nothing/', '/api/v2/nothing?x']) {
      expect(await (await get(origin + path)).json()).toEqual({
        code: 'not_found',
        message: 'Invalid resource identifier',
      })
    }
  })

  it('outside the API lead to 404 when no handler follows', async () => {
    const { origin } = await listenWith((handler) => (req, res) => handler(req, res))
    const response = await get(`${origin}/elsewhere`)
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ code: 'not_found', message: 'Invalid resource identifier' })
  })

  it.each(['/features', '/api/v2', '/features/api/v2'])('can be mounted in Express at %s', async (mount) => {
    const { origin } = await listenWith((handler) => express().use(mount, handler))
    const path = mount.endsWith('/api/v2') ? '/projects' : '/api/v2/projects'
    expect((await get(`${origin}${mount}${path}?limit=1`)).status).toBe(200)
    expect((await get(`${origin}${mount}${path}?limit=0`)).status).toBe(400)
  })

  it('can be mounted with `basePath` when no framework removes the mount path', async () => {
    const { engine } = await makeEngine()
    const { origin } = await listen(createExpressHandler(engine, { basePath: '/features' }))
    expect((await get(`${origin}/features/api/v2/projects`)).status).toBe(200)
    for (const path of ['/api/v2/projects', '/featuresX/api/v2/projects', '/features']) {
      expect((await get(origin + path)).status).toBe(404)
    }
    expect(() => createExpressHandler(engine, { basePath: 'features' })).toThrow(RangeError)
  })

  it('can be preceded by scheme and host', async () => {
    const { port } = await listenWith((handler) => (req, res) => handler(req, res))
    const socket = connect(port, '127.0.0.1')
    const requestLine = 'GET http://localhost/api/v2/projects?limit=1 HTTP/1.1'
    socket.write(`${requestLine}\r\nhost: localhost\r\nauthorization: ${token}\r\nconnection: close\r\n\r\n`)
    expect(await receivedText(socket)).toMatch(/^HTTP\/1.1 200 /)
  })
})

describe('body parsers in front of the handler', () => {
  it.each(['json', 'text', 'raw', 'urlencoded'])('can be express.%s()', async (parser) => {
    const { origin } = await listenWith((handler) =>
      express()
        .use(express[parser]({ type: () => true }))
        .use(handler),
    )
    const type = parser === 'urlencoded' ? 'application/x-www-form-urlencoded' : 'application/json'
    const response = await post(origin, parser === 'urlencoded' ? 'key=shop&name=Shop' : project, type)
    expect(response.status).toBe(parser === 'urlencoded' ? 415 : 201)
  })

  it.each(['text', 'raw'])('do not replace the body limit of the engine when they are express.%s()', async (parser) => {
    const { origin } = await listenWith((handler) =>
      express()
        .use(express[parser]({ type: () => true }))
        .use(handler),
    )
    expect((await post(origin, ' '.repeat(1000 - project.length) + project)).status).toBe(201)
    expect((await post(origin, ' '.repeat(1001))).status).toBe(413)
  })

  it('that read the body without storing it make the body missing', async () => {
    const { origin } = await listenWith((handler) => (req, res) => {
      req.resume().on('end', () => handler(req, res))
    })
    const response = await post(origin, project)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ code: 'invalid_request', message: 'Invalid request body' })
  })
})

describe('connections', () => {
  it('can be used again after a body that was too large', async () => {
    const { port, connections } = await listenWith((handler) => (req, res) => handler(req, res))
    const socket = connect(port, '127.0.0.1')
    const long = 'x'.repeat(300_000)
    socket.write(requestHead(`content-length: ${long.length}`) + long)
    socket.write(`${requestHead('transfer-encoding: chunked')}${long.length.toString(16)}\r\n${long}\r\n0\r\n\r\n`)
    socket.write(requestHead(`content-length: ${project.length}`, 'connection: close') + project)
    const statuses = (await receivedText(socket)).match(/HTTP\/1.1 \d+/g)
    expect(statuses).toEqual(['HTTP/1.1 413', 'HTTP/1.1 413', 'HTTP/1.1 201'])
    expect(connections.length).toBe(1)
  })

  it('are closed when a refused body does not end', async () => {
    const { port } = await listenWith((handler) => (req, res) => handler(req, res))
    const socket = connect(port, '127.0.0.1')
    const chunk = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`
    const writeUntilFull = () => {
      while (!socket.destroyed && socket.write(chunk));
    }
    const response = receivedText(socket.on('drain', writeUntilFull))
    socket.write(requestHead('transfer-encoding: chunked'))
    writeUntilFull()
    expect(await response).toMatch(/^HTTP\/1.1 413 /)
  })

  it('that end within a body are logged at debug level only, and later requests succeed', async () => {
    const { port, origin, log, connections } = await listenWith((handler) => (req, res) => handler(req, res))
    for (const framing of ['content-length: 100', 'transfer-encoding: chunked']) {
      const socket = connect(port, '127.0.0.1')
      socket.write(`${requestHead(framing)}5\r\n{"key`)
      await expect.poll(() => connections.at(-1)?.bytesRead ?? 0).toBeGreaterThan(50)
      socket.resetAndDestroy()
      await expect.poll(() => connections.at(-1)?.destroyed).toBe(true)
    }
    expect((await get(`${origin}/api/v2/projects`)).status).toBe(200)
    expect(log.filter(({ level }) => level !== 'debug')).toEqual([])
  })

  it('that end during an upload store none of its keys', async () => {
    const { engine, port, origin, log } = await withBigSegment()
    const lines = Array.from({ length: 15_000 }, (_, i) => `user-${i}\n`).join('')
    for (const framing of [`content-length: ${lines.length + 10}`, 'transfer-encoding: chunked']) {
      const socket = connect(port, '127.0.0.1')
      const isChunked = framing.startsWith('transfer')
      socket.write(uploadRequestHead(framing) + (isChunked ? `${lines.length.toString(16)}\r\n${lines}\r\n` : lines))
      await expect.poll(async () => (await segmentOf(engine))._importInProgress).toBe(true)
      socket.resetAndDestroy()
      await expect.poll(async () => (await segmentOf(engine))._importInProgress).toBe(false)
      expect(await segmentOf(engine)).toMatchObject({ version: 1, _unboundedMetadata: { includedCount: 0 } })
    }
    expect((await get(`${origin}/api/v2/projects`)).status).toBe(200)
    expect(log.filter(({ level }) => level !== 'debug')).toEqual([])
  })

  it('that end during a download stop it, and a download that fails closes its connection', async () => {
    let pieces = 0
    let ended = false
    async function* sendChunks(chunkLimit: number) {
      try {
        while (pieces++ < chunkLimit) yield 'x'.repeat(65_536)
        throw new Error('broken')
      } finally {
        ended = true
      }
    }
    const engineSending = (chunkLimit: number) => ({
      handle: async () => ({
        status: 200,
        headers: { 'content-type': 'text/csv' },
        body: undefined,
        pieces: sendChunks(chunkLimit),
      }),
    })
    const { origin } = await listen(createExpressHandler(engineSending(Number.POSITIVE_INFINITY)))
    const response = await fetch(`${origin}/api/v2/file`)
    await response.body?.getReader().read()
    const handledCount = pieces
    expect(handledCount).toBeLessThan(1_000)
    await response.body?.cancel().catch(() => {})
    for (const close of closers.splice(0)) close()
    await expect.poll(() => ended).toBe(true)

    pieces = 0
    const failing = await listen(createExpressHandler(engineSending(3)))
    const failedResponse = await fetch(`${failing.origin}/api/v2/file`)
    expect(failedResponse.status).toBe(200)
    await expect(failedResponse.text()).rejects.toThrow()
  })

  it('that end before the request is handled cause no error', async () => {
    let handledCount = 0
    const { port, origin, log } = await listenWith((handler) => (req, res) => {
      const handleRequest = () => {
        handler(req, res)
        handledCount++
      }
      if (req.headers['x-late']) res.on('close', handleRequest)
      else handleRequest()
    })
    const socket = connect(port, '127.0.0.1')
    socket.write(`${requestHead('content-length: 100', 'x-late: 1')}{"key`)
    await once(socket, 'ready')
    socket.resetAndDestroy()
    await expect.poll(() => handledCount).toBe(1)
    expect((await get(`${origin}/api/v2/projects`)).status).toBe(200)
    expect(log.filter(({ level }) => level !== 'debug')).toEqual([])
  })

  it('are not written to when another handler has already responded', async () => {
    const { origin } = await listenWith((handler) => (req, res) => {
      res.end('mine')
      handler(req, res)
    })
    expect(await (await get(`${origin}/api/v2/projects`)).text()).toBe('mine')
  })

  it('pass errors while responding to the error handler', async () => {
    const { origin } = await listenWith((handler) => (req, res) => {
      const { writeHead } = res
      res.writeHead = () => {
        res.writeHead = writeHead
        throw new Error('broken')
      }
      handler(req, res, (error) => res.end(String(error)))
    })
    expect(await (await get(`${origin}/api/v2/projects`)).text()).toBe('Error: broken')
  })
})
