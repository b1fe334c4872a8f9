import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TransportClient, TransportHarness, TransportRequest, TransportResponse } from '@halyard/conformance'
import type { Engine } from '@halyard/core'
import { createExpressHandler } from '@halyard/transport-express'
import * as published from 'launchdarkly-api-typescript'
import { type ClientOperation, readPublishedClient, routeOf } from './published-client.ts'

type ClientFunction = (...input: readonly unknown[]) => Promise<{
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly data: unknown
}>

/** A harness that sends requests with the published TypeScript client, and other requests with fetch. */
export interface PublishedClientHarness extends TransportHarness {
  /** Ids of the functions of the client that were called. */
  readonly called: ReadonlySet<string>
}

/** Creates a harness over HTTP. */
export function publishedClientHarness(): PublishedClientHarness {
  const { operations } = readPublishedClient()
  const called = new Set<string>()
  return {
    name: 'published TypeScript client',
    called,
    async open(engine) {
      const { url, close } = await listen(engine)
      return {
        close,
        async send(request) {
          const route = routeOfRequest(engine, request)
          const operation = operations.find((candidate) => candidate.route === route)
          if (!operation || !takesBody(operation, request)) return sendByFetch(url, request)
          called.add(operation.id)
          return sendByClient(url, operation, request)
        },
      }
    },
  }
}

async function listen(engine: Engine): Promise<{ url: string } & Pick<TransportClient, 'close'>> {
  const server = createServer(createExpressHandler(engine))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

const pathOf = ({ path }: TransportRequest) => path.split('?', 1)[0] as string

/**
 * Returns the route of the operation that serves a request. If several routes match, the route with the fewest
 * parameters is returned.
 */
export function routeOfRequest(
  { operations }: Pick<Engine, 'operations'>,
  request: TransportRequest,
): string | undefined {
  const segments = pathOf(request).split('/')
  const routes = operations
    .filter(({ method }) => method === request.method)
    .map(({ method, path }) => routeOf(method, path))
    .filter((route) => {
      const names = (route.split(' ')[1] ?? '').split('/')
      return names.length === segments.length && names.every((name, index) => name === '{}' || name === segments[index])
    })
  const parametersIn = (route: string) => route.split('{}').length
  return routes.sort((a, b) => parametersIn(a) - parametersIn(b))[0]
}

/**
 * Returns true if the client can send the body of a request. It sends only JSON, and a few of its functions lack the
 * parameter for the body.
 */
function takesBody({ parameters }: ClientOperation, { headers = {}, body }: TransportRequest): boolean {
  if (body === undefined) return true
  return /json/.test(headers['content-type'] ?? '') && parameters.some((parameter) => parameter.in === 'body')
}

async function sendByFetch(url: string, { path, method, headers, body }: TransportRequest): Promise<TransportResponse> {
  const init = { method, ...(headers ? { headers } : {}), ...(body === undefined ? {} : { body: Buffer.from(body) }) }
  const response = await fetch(url + path, init)
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
}

async function sendByClient(
  url: string,
  operation: ClientOperation,
  request: TransportRequest,
): Promise<TransportResponse> {
  const { authorization: apiKey = '', 'svc-api-version': _, ...headers } = request.headers ?? {}
  const mediaType = headers['content-type']?.replace('svc.semanticpatch', 'launchdarkly.semanticpatch')
  const query = new URLSearchParams(request.path.split('?')[1])
  const input = inputOf(operation, request, query)
  // biome-ignore lint/performance/noDynamicNamespaceImportAccess: each class of the client is found by its name
  const Api = published[operation.api as keyof typeof published] as unknown as new (
    configuration: published.Configuration,
  ) => Record<string, ClientFunction>
  const api = new Api(new published.Configuration({ apiKey, basePath: url }))
  const response = await (api[operation.id] as ClientFunction)(...input, {
    headers: { ...headers, ...(mediaType === undefined ? {} : { 'Content-Type': mediaType }) },
    // Parameters that the client does not have.
    params: Object.fromEntries(query),
    validateStatus: () => true,
  })
  const body = response.data === '' || response.data === undefined ? '' : JSON.stringify(response.data)
  return { status: response.status, headers: response.headers as Record<string, string>, body }
}

/** Returns the arguments of the client's function. Query parameters that become arguments are removed from `query`. */
function inputOf(
  { route, pathNames, parameters }: ClientOperation,
  request: TransportRequest,
  query: URLSearchParams,
): unknown[] {
  const segments = pathOf(request).split('/')
  const template = route.split(' ')[1]?.split('/') ?? []
  const values = segments.filter((_, index) => template[index] === '{}').map(decodeURIComponent)
  return parameters.map((parameter) => {
    if (parameter.in === 'header') return 'beta'
    if (parameter.in === 'body') return request.body === undefined ? undefined : JSON.parse(String(request.body))
    if (parameter.in === 'path') return values[pathNames.indexOf(parameter.name)]
    const value = query.get(parameter.name) ?? undefined
    query.delete(parameter.name)
    return value
  })
}
