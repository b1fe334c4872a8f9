import { readFileSync } from 'node:fs'
import { Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bundles, bundleModules } from './homes/bundle-modules.ts'
import type { ConformanceReport } from './runtimes/conformance-report.ts'
import { longTests } from './setup/long-tests.ts'

let bundles: Bundles
let worker: Miniflare
beforeAll(async () => {
  bundles = await bundleModules({ worker: 'test/workers/conformance-worker.ts' }, { external: ['cloudflare:workers'] })
  worker = new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.mjs', contents: readFileSync(bundles.fileOf('worker'), 'utf8') }],
    compatibilityDate: '2025-06-01',
    d1Databases: ['DATABASE'],
    durableObjects: { OBJECTS: { className: 'ConformanceObject', useSQLite: true } },
  })
  await worker.ready
}, 120_000)
afterAll(async () => {
  await worker.dispose()
  bundles.remove()
})

async function reportOf<Report>(path: string): Promise<Report> {
  const response = await worker.dispatchFetch(`http://localhost/${path}`)
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 4000)}`)
  return JSON.parse(text) as Report
}

const partCount = 16
/** All parts take minutes; each has cases of all groups. */
const parts = longTests ? Array.from({ length: partCount }, (_, part) => part) : [0]

describe.each(['d1', 'object'])('the storage suite in workerd: %s', (suite) => {
  it.each(parts)(
    `all cases of part %i of ${partCount} pass`,
    async (part) => {
      const path = `${suite}?share=${part}&shares=${partCount}`
      const names = await reportOf<string[]>(`${path}&names`)
      expect(names.length).toBeGreaterThan(12)
      expect(await reportOf<ConformanceReport>(path)).toEqual({ passed: names.length, failed: [] })
    },
    600_000,
  )
})

it('D1 can export the database, because the database contains no virtual tables', async () => {
  await reportOf<string[]>('d1?share=0&shares=400')
  // Cast: the type of Miniflare needs the declarations of workers, which the repository does not have.
  const database = (await worker.getD1Database('DATABASE')) as unknown as {
    prepare(text: string): { bind(...values: unknown[]): { raw(): Promise<readonly (readonly string[])[]> } }
  }
  // The statement that `wrangler d1 export --local` sends; its parameters omit the schema and the data.
  const [statements] = await database.prepare('PRAGMA miniflare_d1_export(?,?,?);').bind(false, true).raw()
  expect(statements?.filter((text) => /^create table .*halyard_documents"? \(/i.test(text))).toHaveLength(1)
})
