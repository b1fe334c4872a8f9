import {
  fetchHarness,
  recordExamples,
  type TransportClient,
  type TransportHarness,
  type TransportRequest,
} from '@halyard/conformance'
import type { Engine } from '@halyard/core'
import { createFetchHandler } from '@halyard/transport-fetch'
import { beforeAll, describe, expect, it } from 'vitest'
import { routeOf } from './published-client.ts'
import { routeOfRequest } from './published-client-harness.ts'
import { publishedResponses } from './response-differences.ts'

/** A request that was derived from the example of an operation, and its response. */
interface Variant {
  readonly id: string
  /** True when the engine must refuse the request. */
  readonly mustFail: boolean
  readonly request: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

const variants: Variant[] = []

/** A harness that sends, after each request, requests that differ from it. */
const harness: TransportHarness = {
  name: 'variants',
  async open(engine) {
    const client = await fetchHarness('fetch', createFetchHandler).open(engine)
    const { token = '' } = await engine.as({ role: 'owner' }).createToken({ body: { name: 'none', inlineRole } })
    return {
      ...client,
      async send(request) {
        const response = await client.send(request)
        const isRepeated = request.headers?.['if-match'] !== undefined
        const refused = isRepeated ? [request] : refusedVariants(request, token)
        for (const variant of refused) await record(engine, client, variant, true)
        for (const variant of expandedVariants(engine, request)) await record(engine, client, variant, false)
        return response
      },
    }
  },
}

/** A role that allows nothing. */
const inlineRole = [{ effect: 'deny', resources: ['proj/*'], actions: ['*'] }] as const

async function record(
  engine: Engine,
  client: TransportClient,
  request: TransportRequest,
  mustFail: boolean,
): Promise<void> {
  const route = routeOfRequest(engine, request)
  const operation = engine.operations.find(({ method, path }) => routeOf(method, path) === route)
  const { status, headers, body } = await client.send(request)
  variants.push({
    id: operation?.id ?? '',
    mustFail,
    request: `${request.method} ${request.path}`,
    status,
    headers,
    body: /json/.test(headers['content-type'] ?? '') ? JSON.parse(body) : body,
  })
}

/**
 * Requests that the engine refuses: without a token, with one that is invalid or allows nothing, with an unknown path,
 * with a body that is not JSON.
 */
function refusedVariants(request: TransportRequest, powerless: string): TransportRequest[] {
  const { authorization: _, ...anonymous } = request.headers ?? {}
  const [path = '', query = ''] = request.path.split('?')
  const elsewhere = path.replace(/\/(?:web|p\d+)(?=\/|$)/, '/no-such-key')
  const tokens = ['api-no-such-token-000', powerless]
  return [
    { ...request, headers: anonymous },
    ...tokens.map((authorization) => ({ ...request, headers: { ...request.headers, authorization } })),
    ...(elsewhere === path ? [] : [{ ...request, path: query ? `${elsewhere}?${query}` : elsewhere }]),
    ...(request.body === undefined
      ? []
      : [
          { ...request, body: '{' },
          { ...request, body: '[1]' },
        ]),
    ...(request.method === 'GET' ? [{ ...request, path: withQuery(request.path, { limit: 'x', offset: '-1' }) }] : []),
  ]
}

/**
 * Requests for each property that the description of the client's function names, for all of them, and for small pages.
 */
function expandedVariants(engine: Engine, request: TransportRequest): TransportRequest[] {
  if (request.method !== 'GET') return []
  const route = routeOfRequest(engine, request)
  const operation = publishedResponses.operations.find((candidate) => candidate.route === route)
  if (!operation) return []
  const { expansions, parameters } = operation
  const expandable = parameters.some(({ name }) => name === 'expand') ? [...expansions, expansions.join(), 'none'] : []
  const paged = parameters.some(({ name }) => name === 'limit') ? ['limit', 'offset'] : []
  const queries: Readonly<Record<string, string>>[] = [
    ...expandable.map((expand) => ({ expand })),
    ...paged.map((name) => ({ [name]: '1' })),
  ]
  return queries.map((query) => ({ ...request, path: withQuery(request.path, query) }))
}

function withQuery(path: string, values: Readonly<Record<string, string>>): string {
  const [plain = '', query] = path.split('?')
  const parameters = new URLSearchParams(query)
  for (const [name, value] of Object.entries(values)) parameters.set(name, value)
  return `${plain}?${parameters}`
}

const definitions = new Map<string, { method: string; path: string; status: number }>()

beforeAll(async () => {
  await recordExamples(
    { ...harness, open: (engine) => readDefinitions(engine).then(() => harness.open(engine)) },
    { wire: 'reference' },
  )
}, 240_000)

async function readDefinitions(engine: Engine): Promise<void> {
  for (const { id, method, path, success } of await engine.definitions()) {
    definitions.set(id, { method, path, status: success.status })
  }
}

describe('the responses to requests that differ from the examples', () => {
  it('have the types of the published client, also with each property of `expand`', () => {
    const successful = variants.filter(({ status }) => status < 300)
    const differences = successful.flatMap(({ id, request, body }) => {
      const { method = '', path = '' } = definitions.get(id) ?? {}
      const responseDifferences = publishedResponses.differencesOf(method, path)?.(body) ?? []
      return responseDifferences.map((difference) => `${request}: ${difference}`)
    })
    expect(differences).toEqual([])
    expect(successful.length).toBeGreaterThan(150)
  })

  it('are successful for all properties of `expand` that the client describes', () => {
    const refused = variants.filter(({ mustFail, status }) => !mustFail && status >= 300)
    expect(refused.map(({ request, status, body }) => [request, status, body])).toEqual([])
  })

  it('have the types that the published client has for errors', () => {
    const failed = variants.filter(({ status }) => status >= 400)
    const differences = failed.flatMap(({ request, status, headers, body }) =>
      [
        ...(headers['content-type'] === 'application/json' ? [] : [`content-type ${headers['content-type']}`]),
        ...publishedResponses.differencesOfError(status, body),
      ].map((difference) => `${request}: ${status}: ${difference}`),
    )
    expect(differences).toEqual([])
    expect(failed.length).toBeGreaterThan(800)
    expect(new Set(failed.map(({ id }) => id)).size).toBeGreaterThan(300)
    expect(new Set(failed.map(({ status }) => status))).toEqual(new Set([400, 401, 403, 404, 409]))
  })
})
