// #region handler
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler } from '@halyard/transport-fetch'

const engine = createEngine({ storage: createMemoryStorage() })
const handler = createFetchHandler(engine)
// #endregion

await engine.migrate()
const authorization = (await engine.bootstrap())?.token ?? ''

// #region request
const request = new Request('https://flags.example.com/api/v2/projects', {
  method: 'POST',
  headers: { authorization, 'content-type': 'application/json' },
  body: JSON.stringify({ key: 'web', name: 'Web shop' }),
})
const response = await handler(request)
console.log(response.status, (await response.json()).name)
// #endregion

// #region worker
export const worker = { fetch: (request: Request) => handler(request) }
// #endregion

const url = 'https://flags.example.com/api/v2/projects/web'
const first = await worker.fetch(new Request(url, { headers: { authorization } }))
const etag = first.headers.get('etag') ?? ''
const second = await worker.fetch(new Request(url, { headers: { authorization, 'if-none-match': etag } }))
console.log(first.status, second.status)

// #region routes
const api = createFetchHandler(engine, { basePath: '/features' })

/** Routes requests in one server: the API is under `/features`, everything else is the application. */
async function route(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname.startsWith('/features/')) return api(request)
  return new Response('the shop')
}
// #endregion

const get = (path: string) => route(new Request(`https://example.com${path}`, { headers: { authorization } }))
console.log(await (await get('/')).text(), (await get('/features/api/v2/projects/web')).status)

// #region addresses
/** The second argument that Deno passes to a handler. */
interface Connection {
  readonly remoteAddr: { readonly hostname: string }
}

const limited = createFetchHandler(engine, {
  clientAddress: (_, connection: Connection) => connection.remoteAddr.hostname,
})
// Deno.serve(limited)
// #endregion

const as = authorization
await engine.api.createIpAllowlistEntry({ body: { ipAddress: '198.51.100.0/24' } }, { as })
await engine.api.patchIpAllowlistConfig({ body: { apiTokenAllowlistEnabled: true } }, { as })
for (const hostname of ['198.51.100.7', '203.0.113.9']) {
  const limitedRequest = new Request(url, { headers: { authorization } })
  console.log((await limited(limitedRequest, { remoteAddr: { hostname } })).status)
}

// #region lazy
let handlerPromise: Promise<typeof handler> | undefined

/** Returns a handler whose storage is opened by the first request, and again after a failure. */
function ready(): Promise<typeof handler> {
  handlerPromise ??= openHandler().catch((error) => {
    handlerPromise = undefined
    throw error
  })
  return handlerPromise
}

async function openHandler() {
  const engine = createEngine({ storage: createMemoryStorage() })
  await engine.ready()
  return createFetchHandler(engine)
}

export const lazyWorker = { fetch: async (request: Request) => (await ready())(request) }
// #endregion

console.log((await lazyWorker.fetch(new Request(url))).status)
await engine.close()
