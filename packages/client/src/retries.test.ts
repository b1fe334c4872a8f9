import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError, type ClientOptions, createClient, NetworkError } from './index.ts'

const start = Date.UTC(2026, 0, 1)

type Scripted = Response | Error | 'hangs'
const ok = () => Response.json({ items: [] })
const limited = (headers: Record<string, string> = {}) =>
  Response.json({ code: 'rate_limited', message: 'too many' }, { status: 429, headers })
const unavailable = (headers: Record<string, string> = {}) =>
  Response.json({ code: 'service_unavailable', message: 'gone' }, { status: 503, headers })
const cutOff = () => new Response(new ReadableStream({ start: (controller) => controller.error(new Error('cut')) }))

/** A client whose requests are answered by a script, whose last word is repeated; and when each request was sent, ms. */
function scripted(answers: readonly (() => Scripted)[], options: Partial<ClientOptions> = {}) {
  const sent: number[] = []
  const fetch = async () => {
    const answer = answers[Math.min(sent.length, answers.length - 1)]?.()
    sent.push(Date.now() - start)
    if (answer instanceof Error) throw answer
    return answer instanceof Response ? answer : new Promise<Response>(() => {})
  }
  const client = createClient({ baseUrl: 'https://flags.example.test', fetch, random: () => 0, ...options })
  return { sent, ...client }
}

/** What became of a call, when all its timers have run. */
async function outcome(call: Promise<unknown>): Promise<unknown> {
  const settled = call.then(
    () => 'done',
    (error: unknown) => error,
  )
  await vi.runAllTimersAsync()
  return settled
}

beforeEach(() => void vi.useFakeTimers({ now: start, toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
afterEach(() => {
  // Nothing that is over keeps a process alive.
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

const project = { body: { key: 'web', name: 'Web' } }

describe('too many requests', () => {
  const hints: [string, Record<string, string>, ms: number][] = [
    ['seconds', { 'retry-after': '2' }, 2000],
    ['nothing', { 'retry-after': '0' }, 0],
    ['a date', { 'retry-after': new Date(start + 7000).toUTCString() }, 7000],
    ['the end of the window', { 'x-ratelimit-reset': String(start + 1234) }, 1234],
    ['a window that is over', { 'x-ratelimit-reset': String(start - 1) }, 0],
    ['no word', {}, 0],
  ]
  it.each(hints)('are sent again after %s, whatever their method', async (_, headers, ms) => {
    const answers = [() => limited(headers), ok]
    const read = scripted(answers)
    expect(await outcome(read.api.listProjects())).toBe('done')
    vi.setSystemTime(start)
    const write = scripted(answers)
    expect(await outcome(write.api.createProject(project))).toBe('done')
    expect([read.sent, write.sent]).toEqual([
      [0, ms],
      [0, ms],
    ])
  })

  it('are told as they are when there is no time to wait', async () => {
    const { api, sent } = scripted([() => limited({ 'retry-after': '61', 'x-request-id': 'r-1' })])
    const error = await outcome(api.listProjects())
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ code: 'rate_limited', status: 429, retryAfter: 61_000, requestId: 'r-1' })
    expect(sent).toEqual([0])
  })

  it('at a gateway mean the same', async () => {
    const { api, sent } = scripted([() => new Response('<h1>Slow down</h1>', { status: 429 })], { retries: 1 })
    expect(await outcome(api.createProject(project))).toMatchObject({ name: 'ApiError', code: 'rate_limited' })
    expect(sent).toHaveLength(2)
  })
})

describe('what is sent again', () => {
  const gone = () => new TypeError('fetch failed')
  const proxy = (status: number) => () => new Response('<h1>Proxy</h1>', { status })
  const cases: [string, () => Scripted, read: number, write: number][] = [
    ['a 503', unavailable, 2, 1],
    ['a 503 that says when to come back', () => unavailable({ 'retry-after': '1' }), 2, 2],
    ['a connection that fails', gone, 2, 1],
    ['an answer that is cut off', cutOff, 2, 1],
    ['a 502 of a proxy', proxy(502), 2, 1],
    ['a 404 of somebody else', proxy(404), 1, 1],
    ['a page in place of an answer', proxy(200), 1, 1],
    ['a redirect', () => new Response(null, { status: 302 }), 1, 1],
    ['a refusal', () => Response.json({ code: 'forbidden', message: 'no' }, { status: 403 }), 1, 1],
    ['a conflict', () => Response.json({ code: 'optimistic_locking_error', message: 'no' }, { status: 409 }), 1, 1],
    ['a surprise', () => Response.json({ code: 'internal_error', message: 'no' }, { status: 500 }), 1, 1],
  ]
  it.each(cases)('%s', async (_, answer, read, write) => {
    const keyed = { projectKey: 'web' }
    const calls = [
      [read, 'listProjects', {}],
      [read, 'putExperimentationSettings', { ...keyed, body: { randomizationUnits: [] } }],
      [read, 'deleteProject', keyed],
      [write, 'createProject', project],
      [write, 'patchProject', { ...keyed, body: [] }],
    ] as const
    for (const [times, id, input] of calls) {
      const { api, sent } = scripted([answer, ok])
      const done = await outcome((api[id] as (input: object) => Promise<unknown>)(input))
      expect([id, sent.length]).toEqual([id, times])
      if (times === 1) expect(done).toBeInstanceOf(Error)
      else expect(done).toBe('done')
    }
  })

  it('is not a file whose stream was read, but a file that is a text', async () => {
    const segment = { projectKey: 'web', environmentKey: 'test', segmentKey: 'big' }
    for (const [file, times] of [
      [new Blob(['a']).stream() as AsyncIterable<Uint8Array>, 1],
      ['a', 2],
    ] as const) {
      const { api, sent } = scripted([limited, ok])
      await outcome(api.createBigSegmentImport({ ...segment, body: { file, mode: 'merge' } }))
      expect(sent).toHaveLength(times)
    }
  })
})

describe('patience', () => {
  it('has an end, and grows up to ten seconds', async () => {
    const { api, sent } = scripted([unavailable], { random: () => 1, retries: 8, budget: 100_000 })
    expect(await outcome(api.listProjects())).toMatchObject({ code: 'service_unavailable' })
    const waits = [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]
    expect(sent).toEqual([0, ...waits.map((_, at) => waits.slice(0, at + 1).reduce((sum, ms) => sum + ms, 0))])
  })

  it('is spread over all of the wait', async () => {
    const { api, sent } = scripted([unavailable, ok], { random: () => 0.5 })
    await outcome(api.listProjects())
    expect(sent).toEqual([0, 125])
  })

  it('is three times by default, and none if so wished', async () => {
    const three = scripted([unavailable])
    await outcome(three.api.listProjects())
    expect(three.sent).toHaveLength(4)
    const none = scripted([unavailable], { retries: 0 })
    await outcome(none.api.listProjects())
    expect(none.sent).toHaveLength(1)
  })

  it('ends with the budget', async () => {
    const { api, sent } = scripted([() => unavailable({ 'retry-after': '3' })], { budget: 10_000, retries: 9 })
    await outcome(api.listProjects())
    expect(sent).toEqual([0, 3000, 6000, 9000])
  })

  it('ends when nothing comes', async () => {
    const { api, sent } = scripted([() => 'hangs'], { timeout: 1000, retries: 1 })
    const error = await outcome(api.listProjects())
    expect(error).toBeInstanceOf(NetworkError)
    expect(String((error as Error).cause)).toContain('1000 ms')
    expect(sent).toEqual([0, 1000])
  })
})

describe('a signal', () => {
  const reason = new Error('enough')

  it('that has been given keeps the call from being sent', async () => {
    const { api, sent } = scripted([ok])
    expect(await outcome(api.listProjects({}, { signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect(sent).toEqual([])
  })

  it.each<[string, () => Scripted]>([
    ['while an answer is awaited, even of what does not heed it', () => 'hangs'],
    ['while the call waits to be sent again', () => limited({ 'retry-after': '20' })],
    ['while an answer is on its way', () => new Response(new ReadableStream())],
  ])('ends the call %s', async (_, answer) => {
    const { api, sent } = scripted([answer])
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 500)
    expect(await outcome(api.listProjects({}, { signal: controller.signal }))).toBe(reason)
    expect(sent).toEqual([0])
    expect(Date.now() - start).toBe(500)
  })
})
