import { DurableObject } from 'cloudflare:workers'
import { storageConformance } from '@halyard/conformance'
import type { Storage } from '@halyard/core/storage'
import { createSqliteStorage, type SqliteStorageOptions } from '@halyard/storage-sqlite'
import { conformanceHandler } from '../runtimes/conformance-report.ts'

/** A database that a Worker finds in its environment, or that a Durable Object has. */
type WorkerDatabase = SqliteStorageOptions['database']

interface Env {
  readonly DATABASE: WorkerDatabase
  readonly OBJECTS: { getByName(name: string): { fetch(request: Request): Promise<Response> } }
}

interface ObjectState {
  readonly storage: WorkerDatabase
}

/** Runs the storage suite on a database. */
function storageSuite(database: WorkerDatabase, watchUnsupportedReason?: string) {
  const opened = new WeakMap<Storage, string>()
  // A Worker has one database, so each storage of the suite uses accounts of its own.
  const openIn = async (prefix: string): Promise<Storage> => {
    const storage = createSqliteStorage({ database })
    const part = { ...storage, account: (name: string) => storage.account(`${prefix}${name}`) }
    opened.set(part, prefix)
    await part.migrate()
    return part
  }
  const cases = storageConformance({
    open: () => openIn(`${crypto.randomUUID().slice(0, 8)}/`),
    async reopen(storage) {
      await storage.close()
      return openIn(opened.get(storage) ?? '')
    },
    watchUnsupportedReason,
  })
  return { cases, close: async () => {} }
}

export class ConformanceObject extends DurableObject {
  // The state that the runtime passes to the constructor.
  declare readonly ctx: ObjectState

  override fetch(request: Request): Promise<Response> {
    return conformanceHandler({ object: () => storageSuite(this.ctx.storage) })(request)
  }
}

export default {
  async fetch(request: Request, { DATABASE, OBJECTS }: Env): Promise<Response> {
    if (new URL(request.url).pathname === '/object') return OBJECTS.getByName('conformance').fetch(request)
    return conformanceHandler({ d1: () => storageSuite(DATABASE, 'a Worker is not notified of changes of D1') })(
      request,
    )
  },
}
