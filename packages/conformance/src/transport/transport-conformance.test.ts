import { describe, expect, it } from 'vitest'
import { inProcess } from './in-process-line.ts'
import { transportConformance } from './transport-conformance.ts'
import type { LineAnswer, LineRequest, TransportHarness, TransportLine } from './transport-harness.ts'

type Defect = (send: TransportLine['send'], request: LineRequest) => Promise<LineAnswer>

/** Transports with one defect each, and the group of cases that must detect it. */
const defects: Readonly<Record<string, readonly [group: string, Defect]>> = {
  'drops the query': ['resources', (send, request) => send({ ...request, path: request.path.replace(/\?.*/, '') })],
  'turns 201 into 200': [
    'resources',
    async (send, request) => changed(await send(request), (one) => ({ status: one.status === 201 ? 200 : one.status })),
  ],
  'decodes bodies as Latin-1': [
    'resources',
    (send, request) =>
      send({ ...request, body: typeof request.body === 'string' ? latin1(request.body) : request.body }),
  ],
  'sets a media type on responses without a body': [
    'resources',
    async (send, request) =>
      changed(await send(request), ({ headers }) => ({ headers: { 'content-type': 'text/plain', ...headers } })),
  ],
  'drops the ETag': ['revisions', (send, request) => without('etag', send, request)],
  'drops If-Match': [
    'revisions',
    (send, request) => send({ ...request, headers: { ...request.headers, 'if-match': '*' } }),
  ],
  'responds to HEAD with a body': [
    'revisions',
    (send, request) => send({ ...request, method: request.method.replace('HEAD', 'GET') }),
  ],
  'drops Allow': ['doors', (send, request) => without('allow', send, request)],
  'replaces request ids': [
    'doors',
    async (send, request) =>
      changed(await send(request), ({ headers }) => ({ headers: { ...headers, 'x-request-id': 'mine' } })),
  ],
  'ignores the case of paths': [
    'doors',
    (send, request) => send({ ...request, path: request.path.replace('Projects', 'projects') }),
  ],
  'drops the version header': [
    'doors',
    (send, { headers: { 'svc-api-version': _, ...headers } = {}, ...request }) => send({ ...request, headers }),
  ],
  'treats every body as JSON': [
    'bodies',
    (send, request) => send({ ...request, headers: { ...request.headers, 'content-type': 'application/json' } }),
  ],
  'removes __proto__ from bodies': [
    'bodies',
    (send, request) => send({ ...request, body: String(request.body ?? '').replace('__proto__', 'name') || undefined }),
  ],
  'repairs bodies that are not UTF-8': [
    'raw bodies',
    (send, request) =>
      send({
        ...request,
        body: request.body instanceof Uint8Array ? new TextDecoder().decode(request.body) : request.body,
      }),
  ],
  'truncates bodies at the limit': [
    'raw bodies',
    (send, request) =>
      send({ ...request, body: typeof request.body === 'string' ? request.body.slice(0, 2000) : request.body }),
  ],
  'decodes paths twice': ['addresses', (send, request) => send({ ...request, path: decodedOnce(request.path) })],
  'truncates uploads': [
    'uploads',
    (send, request) =>
      send({ ...request, body: typeof request.body === 'string' ? request.body.slice(0, 300_000) : request.body }),
  ],
  'truncates long responses': [
    'uploads',
    async (send, request) => changed(await send(request), ({ body }) => ({ body: body.slice(0, 300_000) })),
  ],
  'returns one response to concurrent requests': ['connections', mixed()],
}

function changed(answer: LineAnswer, change: (answer: LineAnswer) => Partial<LineAnswer>): LineAnswer {
  return { ...answer, ...change(answer) }
}

async function without(name: string, send: TransportLine['send'], request: LineRequest): Promise<LineAnswer> {
  const answer = await send(request)
  const { [name]: _, ...headers } = answer.headers
  return { ...answer, headers }
}

function latin1(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text))
}

function decodedOnce(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function mixed(): Defect {
  let running: Promise<LineAnswer> | undefined
  return (send, request) => {
    running ??= send(request).finally(() => {
      running = undefined
    })
    return running
  }
}

function defective(name: string, defect: Defect): TransportHarness {
  return {
    name,
    async open(engine) {
      const line = await inProcess.open(engine)
      return { ...line, send: (request) => defect(line.send, request) }
    },
  }
}

describe('transportConformance fails for a transport that', () => {
  it.each(Object.entries(defects))('%s', async (name, [group, defect]) => {
    const cases = transportConformance(defective(name, defect)).filter((one) => one.group === group)
    const outcomes = await Promise.allSettled(cases.map(({ run }) => run()))
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0)
  })
})

it('omits cases about raw bodies when the transport has a body parser', () => {
  const groups = (harness: TransportHarness) => new Set(transportConformance(harness).map(({ group }) => group))
  expect(groups(inProcess)).toContain('raw bodies')
  expect(groups({ ...inProcess, parserInFront: true })).not.toContain('raw bodies')
})
