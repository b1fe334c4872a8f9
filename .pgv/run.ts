import { createRequire } from 'node:module'
import { createPgliteStorage } from '@halyard/storage-pglite'
import { storageConformance } from '@halyard/testing'
const v = process.argv[2]
const { PGlite } = createRequire('/tmp/pgv/package.json')(`pglite-${v}`)
const blob = await (async () => { const d = await PGlite.create('memory://'); const b = await d.dumpDataDir('none'); await d.close(); return b })()
const storages = {
  async open() { const client = await PGlite.create('memory://', { loadDataDir: blob }); const s = createPgliteStorage({ client }); await s.migrate(); return s },
  async dispose() {},
}
let ok = 0, bad = 0
for (const { group, name, run } of storageConformance(storages)) {
  try { await run(); ok++ } catch (e: any) { if (bad++ < 4) console.log(v, 'FAIL', group, name, String(e.message).slice(0, 200), e.cause?.message) }
  if (bad > 12) break
}
console.log(v, { ok, bad })
process.exit(0)
