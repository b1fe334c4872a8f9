import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'
import { startPostgres } from './setup/postgres-server.ts'
import { createWriteStream, createReadStream, statSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
const server = await startPostgres()
const pool = new pg.Pool({ ...server.connection, max: 4 })
const on = async (schema: string) => { const s = createPostgresStorage({ pool, schema }); await s.migrate(); return s }
const source = await on('source')
const account = source.account('default')
const body = (i: number) => ({ version: 1, key: `k${i}`, name: `Project number ${i}`, tags: ['a', 'b'], createdAt: 1, text: 'x'.repeat(600) })
for (let s = 0; s < 100_000; s += 5000) await account.commit([{ do: 'load', records: Array.from({ length: 5000 }, (_, i) => ({ kind: 'document', id: { collection: 'project', scope: '', key: `k${s + i}` }, version: 1, body: body(s + i), fields: { name: `n${s + i}` } })) }])
const set = { name: 'included', scope: 'proj/p:env/e:segment/s' }
for (let s = 0; s < 1_000_000; s += 50_000) await account.commit([{ do: 'add-members', set, members: Array.from({ length: 50_000 }, (_, i) => `user-${s + i}@example.com`) }])
const file = '/tmp/speed-export.ndjson'
let peak = 0
const watch = () => { global.gc?.(); peak = 0; const t = setInterval(() => { peak = Math.max(peak, process.memoryUsage().rss) }, 20); return () => clearInterval(t) }
async function timed(name: string, work: () => Promise<unknown>) {
  const stop = watch(); const before = process.memoryUsage().rss; const t = performance.now(); await work(); const s = (performance.now() - t) / 1000; stop()
  const mb = statSync(file).size / 1e6
  console.log(`${name}: ${mb.toFixed(0)} MB in ${s.toFixed(1)} s = ${(mb / s).toFixed(1)} MB/s; rss before ${(before / 1e6).toFixed(0)} MB, peak ${(peak / 1e6).toFixed(0)} MB`)
}
const engine = createEngine({ storage: source })
await timed('export from Postgres to file', () => pipeline(engine.export({ secrets: true }), createWriteStream(file)))
const target = createEngine({ storage: await on('target') })
await timed('import into Postgres', () => target.import(createReadStream(file)))
await timed('import into memory', () => createEngine({ storage: createMemoryStorage() }).import(createReadStream(file)))
await pool.end(); await server.stop()
