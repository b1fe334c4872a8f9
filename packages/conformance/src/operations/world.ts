import { createEngine, type Engine } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'
import type { Storage } from '@halyard/core/storage'
import { assert } from '../storage/assert.ts'
import { adminToken, seededEngine } from '../transport/seeded-engine.ts'
import type { LineAnswer, LineRequest, TransportHarness, TransportLine } from '../transport/transport-harness.ts'
import type { Example, ExampleMakers, Examples } from './example.ts'
import { type Intercept, interceptedStorage } from './intercepted-storage.ts'

/** Maximum body size of the tested engines, bytes. It is small, so that exceeding it costs little. */
export const bodyLimit = 128 * 1024

/** Role for data export; generating a trust policy requires it. */
const dataExportRoleArn = 'arn:aws:iam::123456789012:role/data-export'

/** Further options of the tested engines. */
export const settings = { bodyLimit, dataExportRoleArn }

/** An engine behind a transport, with tokens of few permissions. */
export interface World extends Examples {
  readonly engine: Engine
  /** A token without permissions. */
  readonly powerlessToken: string
  /** A token that may view everything and change nothing. */
  readonly readerToken: string
  /** Makes a new example of an operation. */
  exampleOf(operation: Operation): Promise<Example>
  send(request: LineRequest): Promise<LineAnswer>
  /**
   * Opens another engine on the same storage, whose calls pass through the interceptor, with a transport of its own.
   */
  intercepted(intercept: Intercept): Promise<TransportLine>
  close(): Promise<void>
}

/** Opens a fixture on a storage. Closing the fixture closes the storage. */
export async function openWorld(transport: TransportHarness, storage: Storage, makers: ExampleMakers): Promise<World> {
  const engine = await seededEngine(settings, storage)
  const line = await transport.open(engine)
  let count = 0
  const operations = new Map(engine.operations.map((operation) => [operation.id, operation]))
  const examples: Examples = {
    fresh: () => `p${++count}`,
    async call<Body>(id: string, input?: Example) {
      const operation = operations.get(id)
      if (!operation) return assert.fail(`unknown operation ${id}`)
      const answer = await line.send(requestOf(operation, input ?? (await exampleOf(operation))))
      assert.equal(answer.status, operation.success.status, `${id}: ${answer.body}`)
      return (answer.body === '' ? {} : JSON.parse(answer.body)) as Body
    },
  }
  async function exampleOf({ id }: Operation): Promise<Example> {
    const maker = makers[id]
    return maker ? maker(examples) : assert.fail(`no example of ${id}`)
  }
  const tokenFor = async (rights: object) =>
    (await examples.call<{ token: string }>('createToken', { body: { name: 'World', ...rights } })).token
  return {
    ...examples,
    engine,
    powerlessToken: await tokenFor({ inlineRole: [{ effect: 'deny', resources: ['acct'], actions: ['*'] }] }),
    readerToken: await tokenFor({ role: 'reader' }),
    exampleOf,
    send: (request) => line.send(request),
    intercepted: (intercept) =>
      transport.open(createEngine({ ...settings, storage: interceptedStorage(storage, intercept), rateLimit: false })),
    async close() {
      await line.close()
      await engine.close()
    },
  }
}

/** Returns the request that calls an operation as administrator. */
export function requestOf(
  operation: Operation,
  { params = {}, query = {}, body, text, mediaType }: Example,
): LineRequest {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(query).toString()
  return {
    method: operation.method,
    path: search === '' ? path : `${path}?${search}`,
    headers: {
      authorization: adminToken,
      ...(operation.beta ? { 'svc-api-version': 'beta' } : {}),
      ...(operation.body ? { 'content-type': mediaType ?? 'application/json' } : {}),
    },
    ...(body === undefined && text === undefined ? {} : { body: text ?? JSON.stringify(body) }),
  }
}

/** Returns the same request with other headers. A header with an empty value is removed. */
export function withHeaders(request: LineRequest, headers: Readonly<Record<string, string>>): LineRequest {
  const all = Object.entries({ ...request.headers, ...headers })
  return { ...request, headers: Object.fromEntries(all.filter(([, value]) => value !== '')) }
}
