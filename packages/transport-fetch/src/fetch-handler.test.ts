import { createEngine, type LogEntry } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { createFetchHandler, type FetchHandlerOptions } from './index.ts'

const token = 'api-administrator-0001'
const headers = { authorization: token, 'content-type': 'application/json' }
const bodyLimit = 1000

async function open(options?: FetchHandlerOptions) {
  const log: LogEntry[] = []
  const engine = createEngine({ storage: createMemoryStorage(), bodyLimit, log: (entry) => log.push(entry) })
  await engine.bootstrap({ token })
  return { handler: createFetchHandler(engine, options), log }
}

function post(body: BodyInit, extraHeaders: Record<string, string> = {}): Request {
  const init = { method: 'POST', headers: { ...headers, ...extraHeaders }, body, duplex: 'half' }
  return new Request('http://localhost/api/v2/projects', init)
}

/** A body without an end, and the number of chunks that were read from it. */
function endless() {
  const progress = { pieces: 0, cancelled: false }
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        progress.pieces++
        controller.enqueue(new Uint8Array(100).fill(0x20))
      },
      cancel() {
        progress.cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, seen: progress }
}

describe('request bodies', () => {
  it('are read up to the limit and then cancelled', async () => {
    const { handler } = await open()
    const { stream, seen } = endless()
    const response = await handler(post(stream))
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ code: 'invalid_request' })
    expect(seen).toEqual({ pieces: bodyLimit / 100 + 1, cancelled: true })
  })

  it('are not read when their content-length exceeds the limit', async () => {
    const { handler } = await open()
    const { stream, seen } = endless()
    const response = await handler(post(stream, { 'content-length': String(bodyLimit + 1) }))
    expect(response.status).toBe(413)
    expect(seen).toEqual({ pieces: 0, cancelled: true })
  })

  it('are counted even when their content-length is small', async () => {
    const { handler } = await open()
    const { stream, seen } = endless()
    expect((await handler(post(stream, { 'content-length': '5' }))).status).toBe(413)
    expect(seen.cancelled).toBe(true)
  })

  it('are not read when the caller is not authenticated', async () => {
    const { handler } = await open()
    const { stream, seen } = endless()
    expect((await handler(post(stream, { authorization: 'api-somebody-else' }))).status).toBe(401)
    expect(seen.pieces).toBe(0)
  })

  it('that end early are refused with 400 and logged at debug level only', async () => {
    const { handler, log } = await open()
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('connection lost')) })
    const response = await handler(post(broken))
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ code: 'invalid_request', message: 'The request body is incomplete' })
    expect(log.filter(({ level }) => level !== 'debug')).toEqual([])
  })

  it('that a framework has read before lead to a logged unhandled error and a 500, not to a crash', async () => {
    const { handler, log } = await open()
    const request = post('{"key":"shop","name":"Shop"}')
    await request.text()
    expect((await handler(request)).status).toBe(500)
    expect(log.map(({ event }) => event)).toEqual(['unhandled-error'])
  })
})

describe('the handler of uploads and downloads', () => {
  it('cancels an upload that is refused while it is read', async () => {
    const { handler } = await open()
    await handler(post(JSON.stringify({ key: 'web', name: 'Web' })))
    const segments = 'http://localhost/api/v2/segments/web/production'
    const segmentBody = { key: 'big', name: 'Big', unbounded: true }
    await handler(new Request(segments, { method: 'POST', headers, body: JSON.stringify(segmentBody) }))
    const { stream, seen } = endless()
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'text/csv' }, body: stream, duplex: 'half' }
    const response = await handler(new Request(`${segments}/big/imports`, init))
    // Spaces without a line break are neither a key nor a file.
    expect(response.status).toBe(400)
    expect(seen.cancelled).toBe(true)
    expect(seen.pieces).toBeLessThan(30)
  })

  it('produces a download no faster than it is read, and ends it when the reader cancels', async () => {
    let pieces = 0
    let ended = false
    async function* endlessText() {
      try {
        for (;;) yield `${pieces++}\n`
      } finally {
        ended = true
      }
    }
    const file = { status: 200, headers: { 'content-type': 'text/csv' }, body: undefined }
    const handler = createFetchHandler({ handle: async () => ({ ...file, pieces: endlessText() }) })
    const reader = (await handler(new Request('http://localhost/api/v2/file'))).body?.getReader()
    const first = await reader?.read()
    expect(new TextDecoder().decode(first?.value)).toBe('0\n')
    expect(pieces).toBeLessThan(5)
    await reader?.cancel()
    expect(ended).toBe(true)
  })

  it('makes the reader fail when a download fails halfway', async () => {
    async function* broken() {
      yield 'a'
      throw new Error('broken')
    }
    const file = { status: 200, headers: {}, body: undefined }
    const handler = createFetchHandler({ handle: async () => ({ ...file, pieces: broken() }) })
    const response = await handler(new Request('http://localhost/api/v2/file'))
    await expect(response.text()).rejects.toThrow('broken')
  })
})

describe('paths', () => {
  const get = (url: string) => new Request(url, { headers })

  it.each([
    ['http://localhost/api/v2/projects', 200],
    ['https://localhost:8443/api/v2/projects?limit=1', 200],
    ['http://localhost/api/v2/projects#part', 200],
    ['http://localhost/api/v2/projects?limit=1#part?limit=0', 200],
    ['http://localhost/api/v2/projects#part?limit=0', 200],
    ['http://localhost/api/v2/projects?limit=0#part', 400],
    ['http://localhost/api/v2/./x/../projects', 200],
    ['app://x/api/v2/projects', 200],
    ['http://localhost?/api/v2/projects', 404],
    ['http://localhost/x/api/v2/projects', 404],
  ])('%s leads to status %i', async (url, status) => {
    const { handler } = await open()
    expect((await handler(get(url))).status).toBe(status)
  })

  it.each(['/features', '/features/'])(
    'under %s belong to the API, and all others are refused with 404',
    async (basePath) => {
      const { handler } = await open({ basePath })
      expect((await handler(get('http://localhost/features/api/v2/projects'))).status).toBe(200)
      for (const path of ['/api/v2/projects', '/featuresapi/v2/projects', '/features', '/featuresX/api/v2/projects']) {
        const response = await handler(get(`http://localhost${path}`))
        expect(response.status).toBe(404)
        expect(response.headers.get('content-type')).toBe('application/json')
        expect(await response.json()).toEqual({ code: 'not_found', message: 'Invalid resource identifier' })
      }
    },
  )

  it('cannot be mounted under a text that is not a path', () => {
    const engine = createEngine({ storage: createMemoryStorage() })
    expect(() => createFetchHandler(engine, { basePath: 'features' })).toThrow(RangeError)
  })
})
