import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError, type ClientOptions, createClient, NetworkError } from './index.ts'

const start = Date.UTC(2026, 0, 1)

type ScriptedResponse = Response | Error | 'never'
const success = () => Response.json({ items: [] })
const limited = (headers: Record<string, string> = {}) =>
  Response.json({ code: 'rate_limited', message: 'too many' }, { status: 429, headers })
const unavailable = (headers: Record<string, string> = {}) =>
  Response.json({ code: 'service_unavailable', message: 'gone' }, { status: 503, headers })
const cutOff = () => new Response(new ReadableStream({ start: (controller) => controller.error(new Error('cut')) }))

/**
 * Creates a client that receives these responses in order, and then the last one for every further request. `sent`
 * contains the time of each request, ms.
 */
function scripted(responses: readonly (() => ScriptedResponse)[], options: Partial<ClientOptions> = {}) {
  const sent: number[] = []
  const fetch = async () => {
    const response = responses[Math.min(sent.length, responses.length - 1)]?.()
    sent.push(Date.now() - start)
    if (response instanceof Error) throw response
    return response instanceof Response ? response : new Promise<Response>(() => {})
  }
  const client = createClient({ baseUrl: 'https://flags.example.test', fetch, random: () => 0, ...options })
  return { sent, ...client }
}

/** Returns 'done' or the error of a call, after all timers have run. */
async function outcome(call: Promise<unknown>): Promise<unknown> {
  const settledCall = call.then(
    () => 'done',
    (error: unknown) => error,
  )
  await vi.runAllTimersAsync()
  return settledCall
}

beforeEach(() => void vi.useFakeTimers({ now: start, toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
afterEach(() => {
  // No timer remains, because it would keep the process alive.
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

const project = { body: { key: 'web', name: 'Web' } }

describe('a response with status 429', () => {
  const hints: [string, Record<string, string>, ms: number][] = [
    ['the seconds of `retry-after`', { 'retry-after': '2' }, 2000],
    ['no delay for `retry-after: 0`', { 'retry-after': '0' }, 0],
    ['the date of `retry-after`', { 'retry-after': new Date(start + 7000).toUTCString() }, 7000],
    ['the time of `x-ratelimit-reset`', { 'x-ratelimit-reset': String(start + 1234) }, 1234],
    ['no delay for a past `x-ratelimit-reset`', { 'x-ratelimit-reset': String(start - 1) }, 0],
    ['no delay without a header', {}, 0],
  ]
  it.each(hints)('is retried after %s, for every method', async (_, headers, ms) => {
    const responses = [() => limited(headers), success]
    const read = scripted(responses)
    expect(await outcome(read.api.listProjects())).toBe('done')
    vi.setSystemTime(start)
    const write = scripted(responses)
    expect(await outcome(write.api.createProject(project))).toBe('done')
    expect([read.sent, write.sent]).toEqual([
      [0, ms],
      [0, ms],
    ])
  })

  it('rejects immediately when the delay exceeds the budget', async () => {
    const { api, sent } = scripted([() => limited({ 'retry-after': '61', 'x-request-id': 'r-1' })])
    const error = await outcome(api.listProjects())
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ code: 'rate_limited', status: 429, retryAfter: 61_000, requestId: 'r-1' })
    expect(sent).toEqual([0])
  })

  it('is also retried when a gateway sent it', async () => {
    const { api, sent } = scripted([() => new Response('<h1>Slow down</h1>', { status: 429 })], { retries: 1 })
    expect(await outcome(api.createProject(project))).toMatchObject({ name: 'ApiError', code: 'rate_limited' })
    expect(sent).toHaveLength(2)
  })
})

describe('retries', () => {
  const connectionError = () => new TypeError('fetch failed')
  const proxy = (status: number) => () => new Response('<h1>Proxy</h1>', { status })
  const cases: [string, idempotent: number, other: number, () => ScriptedResponse][] = [
    ['a 503 without `retry-after`', 2, 1, unavailable],
    ['a 503 with `retry-after`', 2, 2, () => unavailable({ 'retry-after': '1' })],
    ['a failed connection', 2, 1, connectionError],
    ['a response whose body breaks off', 2, 1, cutOff],
    ['a 502 of a proxy', 2, 1, proxy(502)],
    ['a 404 of a proxy', 1, 1, proxy(404)],
    ['a page with status 200', 1, 1, proxy(200)],
    ['a redirect', 1, 1, () => new Response(null, { status: 302 })],
    ['a 403', 1, 1, () => Response.json({ code: 'forbidden', message: 'no' }, { status: 403 })],
    ['a 409', 1, 1, () => Response.json({ code: 'optimistic_locking_error', message: 'no' }, { status: 409 })],
    ['a 500', 1, 1, () => Response.json({ code: 'internal_error', message: 'no' }, { status: 500 })],
  ]
  it.each(cases)(
    'after %s: GET, PUT and DELETE are sent %i times, POST and PATCH %i times',
    async (_, idempotent, other, response) => {
      const keyed = { projectKey: 'web' }
      const calls = [
        [idempotent, 'listProjects', {}],
        [idempotent, 'putExperimentationSettings', { ...keyed, body: { randomizationUnits: [] } }],
        [idempotent, 'deleteProject', keyed],
        [other, 'createProject', project],
        [other, 'patchProject', { ...keyed, body: [] }],
      ] as const
      for (const [times, id, input] of calls) {
        const { api, sent } = scripted([response, success])
        const result = await outcome((api[id] as (input: object) => Promise<unknown>)(input))
        expect([id, sent.length]).toEqual([id, times])
        if (times === 1) expect(result).toBeInstanceOf(Error)
        else expect(result).toBe('done')
      }
    },
  )

  it('repeat the upload of a text, but not of a stream', async () => {
    const segment = { projectKey: 'web', environmentKey: 'test', segmentKey: 'big' }
    for (const [file, times] of [
      [new Blob(['a']).stream() as AsyncIterable<Uint8Array>, 1],
      ['a', 2],
    ] as const) {
      const { api, sent } = scripted([limited, success])
      await outcome(api.createBigSegmentImport({ ...segment, body: { file, mode: 'merge' } }))
      expect(sent).toHaveLength(times)
    }
  })
})

describe('the delay between attempts', () => {
  it('doubles up to 10 s', async () => {
    const { api, sent } = scripted([unavailable], { random: () => 1, retries: 8, budget: 100_000 })
    expect(await outcome(api.listProjects())).toMatchObject({ code: 'service_unavailable' })
    const delays = [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]
    expect(sent).toEqual([0, ...delays.map((_, index) => delays.slice(0, index + 1).reduce((sum, ms) => sum + ms, 0))])
  })

  it('is a random part of the backoff', async () => {
    const { api, sent } = scripted([unavailable, success], { random: () => 0.5 })
    await outcome(api.listProjects())
    expect(sent).toEqual([0, 125])
  })

  it('occurs 3 times by default, and never with `retries: 0`', async () => {
    const three = scripted([unavailable])
    await outcome(three.api.listProjects())
    expect(three.sent).toHaveLength(4)
    const withoutRetries = scripted([unavailable], { retries: 0 })
    await outcome(withoutRetries.api.listProjects())
    expect(withoutRetries.sent).toHaveLength(1)
  })

  it('never exceeds the budget of the call', async () => {
    const { api, sent } = scripted([() => unavailable({ 'retry-after': '3' })], { budget: 10_000, retries: 9 })
    await outcome(api.listProjects())
    expect(sent).toEqual([0, 3000, 6000, 9000])
  })

  it('starts at the timeout when there is no response', async () => {
    const { api, sent } = scripted([() => 'never'], { timeout: 1000, retries: 1 })
    const error = await outcome(api.listProjects())
    expect(error).toBeInstanceOf(NetworkError)
    expect(String((error as Error).cause)).toContain('1000 ms')
    expect(sent).toEqual([0, 1000])
  })
})

describe('a signal', () => {
  const reason = new Error('not needed')

  it('that is aborted before the call prevents the request', async () => {
    const { api, sent } = scripted([success])
    expect(await outcome(api.listProjects({}, { signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect(sent).toEqual([])
  })

  it.each<[string, () => ScriptedResponse]>([
    ['before the response, also when `fetch` ignores the signal', () => 'never'],
    ['between two attempts', () => limited({ 'retry-after': '20' })],
    ['while the body of the response arrives', () => new Response(new ReadableStream())],
  ])('aborts the call %s', async (_, response) => {
    const { api, sent } = scripted([response])
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 500)
    expect(await outcome(api.listProjects({}, { signal: controller.signal }))).toBe(reason)
    expect(sent).toEqual([0])
    expect(Date.now() - start).toBe(500)
  })
})
