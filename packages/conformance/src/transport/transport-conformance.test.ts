import { describe, expect, it } from 'vitest'
import { inProcessHarness } from './in-process-harness.ts'
import { transportConformance } from './transport-conformance.ts'
import type { TransportClient, TransportHarness, TransportRequest, TransportResponse } from './transport-harness.ts'

type Defect = (send: TransportClient['send'], request: TransportRequest) => Promise<TransportResponse>

/** Transports with one defect each, and the group of cases that must detect it. */
const defects: Readonly<Record<string, readonly [group: string, Defect]>> = {
  'drops the query': ['resources', (send, request) => send({ ...request, path: request.path.replace(/\?.*/, '') })],
  'turns 201 into 200': [
    'resources',
    async (send, request) =>
      withChange(await send(request), (item) => ({ status: item.status === 201 ? 200 : item.status })),
  ],
  'decodes bodies as Latin-1': [
    'resources',
    (send, request) =>
      send({ ...request, body: typeof request.body === 'string' ? latin1(request.body) : request.body }),
  ],
  'sets a media type on responses without a body': [
    'resources',
    async (send, request) =>
      withChange(await send(request), ({ headers }) => ({ headers: { 'content-type': 'text/plain', ...headers } })),
  ],
  'drops the ETag': ['revisions', (send, request) => withoutHeader('etag', send, request)],
  'drops If-Match': [
    'revisions',
    (send, request) => send({ ...request, headers: { ...request.headers, 'if-match': '*' } }),
  ],
  'responds to HEAD with a body': [
    'revisions',
    (send, request) => send({ ...request, method: request.method.replace('HEAD', 'GET') }),
  ],
  'drops Allow': ['request stages', (send, request) => withoutHeader('allow', send, request)],
  'replaces request ids': [
    'request stages',
    async (send, request) =>
      withChange(await send(request), ({ headers }) => ({ headers: { ...headers, 'x-request-id': 'mine' } })),
  ],
  'ignores the case of paths': [
    'request stages',
    (send, request) => send({ ...request, path: request.path.replace('Projects', 'projects') }),
  ],
  'drops the version header': [
    'request stages',
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
  'decodes paths twice': ['addresses', (send, request) => send({ ...request, path: decodeOnce(request.path) })],
  'truncates uploads': [
    'uploads',
    (send, request) =>
      send({ ...request, body: typeof request.body === 'string' ? request.body.slice(0, 300_000) : request.body }),
  ],
  'truncates long responses': [
    'uploads',
    async (send, request) => withChange(await send(request), ({ body }) => ({ body: body.slice(0, 300_000) })),
  ],
  'returns one response to concurrent requests': ['connections', shareRunningResponse()],
}

function withChange(
  response: TransportResponse,
  change: (response: TransportResponse) => Partial<TransportResponse>,
): TransportResponse {
  return { ...response, ...change(response) }
}

async function withoutHeader(
  name: string,
  send: TransportClient['send'],
  request: TransportRequest,
): Promise<TransportResponse> {
  const response = await send(request)
  const { [name]: _, ...headers } = response.headers
  return { ...response, headers }
}

function latin1(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text))
}

function decodeOnce(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function shareRunningResponse(): Defect {
  let running: Promise<TransportResponse> | undefined
  return (send, request) => {
    running ??= send(request).finally(() => {
      running = undefined
    })
    return running
  }
}

function harnessWithDefect(name: string, defect: Defect): TransportHarness {
  return {
    name,
    async open(engine) {
      const client = await inProcessHarness.open(engine)
      return { ...client, send: (request) => defect(client.send, request) }
    },
  }
}

describe('transportConformance fails for a transport that', () => {
  it.each(Object.entries(defects))('%s', async (name, [group, defect]) => {
    const cases = transportConformance(harnessWithDefect(name, defect)).filter((item) => item.group === group)
    const outcomes = await Promise.allSettled(cases.map(({ run }) => run()))
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0)
  })
})

it('transportConformance omits cases about raw bodies when the transport has a body parser', () => {
  const groups = (harness: TransportHarness) => new Set(transportConformance(harness).map(({ group }) => group))
  expect(groups(inProcessHarness)).toContain('raw bodies')
  expect(groups({ ...inProcessHarness, hasBodyParser: true })).not.toContain('raw bodies')
})
