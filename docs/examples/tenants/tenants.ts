// #region engines
import { createCache, createEngine, type Engine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const storage = createMemoryStorage()
await storage.migrate()

const cache = createCache({ responses: 64 * 1024 * 1024, documents: 64 * 1024 * 1024 })
const engines = new Map<string, Engine>()

function engineOf(tenant: string): Engine {
  // An engine that is closed must not close the storage of the others.
  const unclosedStorage = { ...storage, close: async () => {} }
  const engine = engines.get(tenant) ?? createEngine({ storage: unclosedStorage, account: tenant, cache })
  // The engine that was used last is the last of the map.
  engines.delete(tenant)
  engines.set(tenant, engine)
  return engine
}

async function closeIdle(maxEngines: number): Promise<void> {
  for (const [tenant, engine] of engines) {
    if (engines.size <= maxEngines) return
    engines.delete(tenant)
    await engine.close()
  }
}
// #endregion

// #region add
const asAdministrator = { as: { role: 'admin' } } as const

async function addTenant(tenant: string, flags: readonly string[]): Promise<void> {
  const { api } = engineOf(tenant)
  await api.createProject({ body: { key: 'app', name: 'App' } }, asAdministrator)
  for (const key of flags) await api.createFlag({ projectKey: 'app', body: { key, name: key } }, asAdministrator)
}

await addTenant('acme', ['invoices', 'dark-mode'])
await addTenant('initech', ['invoices'])
// #endregion

// #region use
const production = { projectKey: 'app', environmentKey: 'production' }

async function turnOn(tenant: string, flagKey: string): Promise<void> {
  const instructions = [{ kind: 'turnFlagOn' as const }]
  await engineOf(tenant).api.patchFlag(
    { projectKey: 'app', flagKey, body: { environmentKey: 'production', instructions } },
    asAdministrator,
  )
}

async function isOn(tenant: string, flagKey: string, userKey: string): Promise<boolean> {
  const flags = engineOf(tenant).evaluator(production)
  await flags.ready()
  return flags.evaluate(flagKey, { kind: 'user', key: userKey }, false).value === true
}

await turnOn('acme', 'invoices')
for (const tenant of ['acme', 'initech']) console.log(tenant, await isOn(tenant, 'invoices', 'ann'))
// #endregion

// #region requests
import { createFetchHandler } from '@halyard/transport-fetch'

const handlers = new WeakMap<Engine, (request: Request) => Promise<Response>>()

async function handle(request: Request): Promise<Response> {
  const [tenant = ''] = new URL(request.url).hostname.split('.')
  const engine = engineOf(tenant)
  const handler = handlers.get(engine) ?? createFetchHandler(engine)
  handlers.set(engine, handler)
  return handler(request)
}
// #endregion

const authorization = (await engineOf('acme').bootstrap())?.token ?? ''
const statusOf = async (tenant: string) =>
  (await handle(new Request(`https://${tenant}.flags.example.com/api/v2/projects/app`, { headers: { authorization } })))
    .status
console.log(await statusOf('acme'), await statusOf('initech'))

// #region tasks
async function runTasks(tenants: Iterable<string>): Promise<void> {
  for (const tenant of tenants) await engineOf(tenant).runDueTasks()
}

await runTasks([...engines.keys()])
await closeIdle(1)
console.log([...engines.keys()])
// #endregion
