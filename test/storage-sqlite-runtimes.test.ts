import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bundles, bundleModules, forServers } from './homes/bundle-modules.ts'
import type { ConformanceReport } from './runtimes/conformance-report.ts'
import { serverRuntimes } from './runtimes/serve-module.ts'
import { longTests } from './setup/long-tests.ts'

/** The modules that open a file, by the runtimes in which they are tested. */
const modules: Readonly<Record<string, readonly string[]>> = {
  // better-sqlite3 13 needs Node 22.
  'Node 22': ['node:sqlite', 'better-sqlite3', 'libsql'],
  'Node 24': ['node:sqlite', 'better-sqlite3', 'libsql'],
  Deno: ['node:sqlite'],
  Bun: ['bun:sqlite'],
}

// The binaries of these runtimes are downloaded.
describe.runIf(longTests)('the storage suite on SQLite', { timeout: 900_000 }, () => {
  let bundles: Bundles
  beforeAll(async () => {
    bundles = await bundleModules({ sqlite: 'test/runtimes/sqlite-conformance.ts' }, forServers)
  })
  afterAll(() => bundles.remove())

  it.each(Object.entries(modules).flatMap(([runtime, names]) => names.map((name) => [runtime, name] as const)))(
    'passes all cases in %s on %s',
    async (runtime, name) => {
      const serve = serverRuntimes[runtime]
      if (!serve) throw new Error(`no runtime ${runtime}`)
      const server = await serve(bundles.fileOf('sqlite'))
      try {
        const address = `http://127.0.0.1:${server.port}/${name}`
        const names = (await (await fetch(`${address}?names`)).json()) as string[]
        expect(names.length).toBeGreaterThan(250)
        const report = (await (await fetch(address)).json()) as ConformanceReport
        expect(report).toEqual({ passed: names.length, failed: [] })
      } finally {
        await server.stop()
      }
    },
  )
})
