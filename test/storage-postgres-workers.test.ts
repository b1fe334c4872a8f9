import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import type { Plugin } from 'esbuild'
import { Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bundles, bundleModules } from './homes/bundle-modules.ts'
import type { ConformanceReport } from './runtimes/conformance-report.ts'
import { longTests } from './setup/long-tests.ts'
import { startTcpProxy, type TcpProxy } from './setup/tcp-proxy.ts'
import { testPostgres } from './setup/test-postgres.ts'

/** Turns `require` of a module of Node into an import, as the tools of the platform do. */
const nodeModulesByImport: Plugin = {
  name: 'node-modules-by-import',
  setup({ onResolve, onLoad }) {
    const names = new RegExp(`^(node:)?(${builtinModules.join('|')})$`)
    onResolve({ filter: names }, ({ path, kind }) => {
      const name = `node:${path.replace(/^node:/, '')}`
      return kind === 'require-call' ? { path: name, namespace: 'required' } : { path: name, external: true }
    })
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `import module_ from '${path}'; module.exports = module_`,
    }))
  },
}

let bundles: Bundles
let proxy: TcpProxy
let worker: Miniflare
beforeAll(async () => {
  proxy = await startTcpProxy(testPostgres)
  bundles = await bundleModules(
    { worker: 'test/workers/postgres-worker.ts' },
    {
      platform: 'node',
      conditions: ['@halyard/source', 'workerd'],
      external: ['cloudflare:sockets', 'pg-native'],
      plugins: [nodeModulesByImport],
    },
  )
  worker = new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.mjs', contents: readFileSync(bundles.fileOf('worker'), 'utf8') }],
    compatibilityDate: '2025-10-01',
    compatibilityFlags: ['nodejs_compat'],
    bindings: { DATABASE_URL: proxy.url },
  })
  await worker.ready
}, 120_000)
afterAll(async () => {
  await worker.dispose()
  bundles.remove()
  await proxy.close()
})

async function reportOf<Report>(path: string): Promise<Report> {
  const response = await worker.dispatchFetch(`http://localhost/${path}`)
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 4000)}`)
  return JSON.parse(text) as Report
}

const partCount = 16

describe('the storage suite with pg in workerd', () => {
  it.each(longTests ? Array.from({ length: partCount }, (_, part) => part) : [0])(
    `all cases of part %i of ${partCount} pass`,
    async (part) => {
      const path = `postgres?share=${part}&shares=${partCount}`
      const names = await reportOf<string[]>(`${path}&names`)
      expect(names.length).toBeGreaterThan(10)
      expect(await reportOf<ConformanceReport>(path)).toEqual({ passed: names.length, failed: [] })
    },
    600_000,
  )
})
