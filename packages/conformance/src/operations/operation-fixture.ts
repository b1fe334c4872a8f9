import { createEngine, type Engine } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'
import type { Storage } from '@halyard/core/storage'
import { assert } from '../storage/assert.ts'
import { adminToken, seededEngine, seededNow } from '../transport/seeded-engine.ts'
import type {
  TransportClient,
  TransportHarness,
  TransportRequest,
  TransportResponse,
} from '../transport/transport-harness.ts'
import { type Example, type ExampleContext, type ExampleMakers, noExampleOf } from './example.ts'
import { interceptStorage, type StorageInterceptor } from './intercepted-storage.ts'

/** Maximum body size of the tested engines, bytes. It is small, so that exceeding it costs little. */
export const bodyLimit = 128 * 1024

/** Role for data export; generating a trust policy requires it. */
const dataExportRoleArn = 'arn:aws:iam::123456789012:role/data-export'

/** Integration of links of flags. */
export const integrations = [{ key: 'tickets', manifest: { capabilities: { flagLink: {} } } }]

/** Further options of the tested engines. */
export const settings = { bodyLimit, dataExportRoleArn, integrations }

/** An engine behind a transport, with tokens of few permissions. */
export interface OperationFixture extends ExampleContext {
  readonly engine: Engine
  /** A token without permissions. */
  readonly powerlessToken: string
  /** A token that may view everything and change nothing. */
  readonly readerToken: string
  /** Makes a new example of an operation. */
  exampleOf(operation: Operation): Promise<Example>
  send(request: TransportRequest): Promise<TransportResponse>
  /**
   * Opens another engine on the same storage, with a transport of its own. The calls of the engine to the storage pass
   * through the interceptor.
   */
  openIntercepted(interceptor: StorageInterceptor): Promise<TransportClient>
  close(): Promise<void>
}

/**
 * Opens a fixture on a storage. Closing the fixture closes the storage.
 *
 * @param account name of the account of the fixture.
 */
export async function openOperationFixture(
  transport: TransportHarness,
  storage: Storage,
  makers: ExampleMakers,
  account = 'default',
): Promise<OperationFixture> {
  const engine = await seededEngine({ ...settings, account }, storage)
  const client = await transport.open(engine)
  let count = 0
  const operations = new Map((await engine.definitions()).map((operation) => [operation.id, operation]))
  const examples: ExampleContext = {
    newKey: () => `p${++count}`,
    async call<Body>(id: string, input?: Example) {
      const operation = operations.get(id)
      if (!operation) return assert.fail(`unknown operation ${id}`)
      const response = await client.send(requestOf(operation, input ?? (await exampleOf(operation))))
      assert.equal(response.status, operation.success.status, `${id}: ${response.body}`)
      return (response.body === '' ? {} : JSON.parse(response.body)) as Body
    },
  }
  async function exampleOf({ id }: Operation): Promise<Example> {
    const makeExample = makers[id]
    return makeExample ? makeExample(examples) : assert.fail(noExampleOf(id))
  }
  const tokenFor = async (rights: object) =>
    (await examples.call<{ token: string }>('createToken', { body: { name: 'World', ...rights } })).token
  return {
    ...examples,
    engine,
    powerlessToken: await tokenFor({ inlineRole: [{ effect: 'deny', resources: ['acct'], actions: ['*'] }] }),
    readerToken: await tokenFor({ role: 'reader' }),
    exampleOf,
    send: (request) => client.send(request),
    openIntercepted: (interceptor) =>
      transport.open(
        createEngine({
          ...settings,
          account,
          storage: interceptStorage(storage, interceptor),
          // Both engines must agree on what has expired.
          clock: () => seededNow,
          rateLimit: false,
        }),
      ),
    async close() {
      await client.close()
      await engine.close()
    },
  }
}

/** Returns the request that calls an operation as administrator. */
export function requestOf(
  operation: Operation,
  { params = {}, query = {}, body, text, mediaType }: Example,
): TransportRequest {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const queryString = new URLSearchParams(query).toString()
  return {
    method: operation.method,
    path: queryString === '' ? path : `${path}?${queryString}`,
    headers: {
      authorization: adminToken,
      ...(operation.beta ? { 'svc-api-version': 'beta' } : {}),
      ...(operation.body ? { 'content-type': mediaType ?? 'application/json' } : {}),
    },
    ...(body === undefined && text === undefined ? {} : { body: text ?? JSON.stringify(body) }),
  }
}

/** Returns the same request with other headers. A header with an empty value is removed. */
export function withHeaders(request: TransportRequest, headers: Readonly<Record<string, string>>): TransportRequest {
  const entries = Object.entries({ ...request.headers, ...headers })
  return { ...request, headers: Object.fromEntries(entries.filter(([, value]) => value !== '')) }
}
