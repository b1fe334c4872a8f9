import { readFileSync } from 'node:fs'
import { EdgeVM } from '@edge-runtime/vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bundles, bundleModules } from './homes/bundle-modules.ts'
import type { Serving } from './homes/serve-program.ts'
import { type ConformanceReport, conformanceHandler } from './runtimes/conformance-report.ts'
import { edgeRuntimes, serverRuntimes } from './runtimes/serve-module.ts'
import { serverBundle } from './runtimes/server-bundle.ts'
import { longTests } from './setup/long-tests.ts'
import { pgliteTemplate } from './setup/pglite-template.ts'
import { startTcpProxy, type TcpProxy } from './setup/tcp-proxy.ts'
import { testPostgres } from './setup/test-postgres.ts'

describe('a conformance report', () => {
  const handler = conformanceHandler({
    mixed: () => ({
      cases: [
        { group: 'sums', name: 'hold', run: async () => {} },
        { group: 'sums', name: 'do not hold', run: () => Promise.reject(new Error('1 is not 2')) },
        { group: 'sums', name: 'hold again', run: async () => {} },
      ],
      close: async () => {},
    }),
  })
  const reportOf = async (query: string) => (await handler(new Request(`http://localhost/mixed${query}`))).json()

  it('counts passed cases and names failed ones', async () => {
    const failure = { group: 'sums', name: 'do not hold', message: expect.stringContaining('1 is not 2') }
    expect(await reportOf('')).toEqual({ passed: 2, failed: [failure] })
  })

  it('covers only the requested part, and all parts together cover the suite', async () => {
    expect(await reportOf('?share=0&shares=2')).toEqual({ passed: 2, failed: [] })
    expect(await reportOf('?share=1&shares=2')).toMatchObject({ passed: 0, failed: [{ name: 'do not hold' }] })
    expect(await reportOf('?names')).toEqual(['sums: hold', 'sums: do not hold', 'sums: hold again'])
  })
})

/** A virtual machine that has the globals of edge runtimes and no others. */
let vm: EdgeVM
beforeAll(async () => {
  const entries = { edge: 'test/runtimes/edge-conformance.ts' }
  const bundles = await bundleModules(entries, { format: 'iife', globalName: 'conformance' })
  vm = new EdgeVM({ initialCode: readFileSync(bundles.fileOf('edge'), 'utf8') })
  bundles.remove()
})

const fetchInVm = async <ResponseBody>(path: string): Promise<ResponseBody> =>
  (await vm.evaluate(`conformance.default.fetch(new Request('http://localhost/${path}'))`)).json()

/** Returns the report of a suite without failures; the cases are counted independently of the run. */
async function allPassed(path: string): Promise<ConformanceReport> {
  const names = await fetchInVm<string[]>(`${path}&names`)
  expect(names.length).toBeGreaterThan(25)
  return { passed: names.length, failed: [] }
}

describe('globals of edge runtimes', () => {
  it('do not include process, Buffer or require', () => {
    expect(vm.evaluate('[typeof process, typeof Buffer, typeof require]')).toEqual(Array(3).fill('undefined'))
  })

  // All operations take half a minute; long test runs execute them in every runtime.
  it.each(['storage?share=0&shares=2', 'transport?share=0&shares=4', 'operations?share=0&shares=61'])(
    'are sufficient for %s',
    async (part) => {
      expect(await fetchInVm(part)).toEqual(await allPassed(part))
    },
  )
})

// Each part runs in its own account, because one account with the documents of all parts would be slow to read.
const partsOf = (suite: string, partCount: number) =>
  Array.from({ length: partCount }, (_, part) => `${suite}?share=${part}&shares=${partCount}`)

describe.runIf(longTests)('conformance suites on edge runtimes', { timeout: 600_000 }, () => {
  let bundles: Bundles
  beforeAll(async () => {
    bundles = await bundleModules({ edge: 'test/runtimes/edge-conformance.ts' })
  })
  afterAll(() => bundles.remove())

  describe.each(Object.entries(edgeRuntimes))('in %s', (_, serve) => {
    let server: Serving
    beforeAll(async () => {
      server = await serve(bundles.fileOf('edge'))
    }, 600_000)
    afterAll(() => server.stop())

    it.each(['storage?', 'transport?', ...partsOf('operations', 7)])('all cases pass: %s', async (part) => {
      expect(await fetchFrom(server, part)).toEqual(await allPassed(part))
    })
  })
})

describe.runIf(longTests)('conformance suites on server runtimes', { timeout: 600_000 }, () => {
  let bundles: Bundles
  let postgres: TcpProxy
  beforeAll(async () => {
    bundles = await bundleModules({ server: 'test/runtimes/server-conformance.ts' }, serverBundle)
    postgres = await startTcpProxy(testPostgres)
  })
  afterAll(async () => {
    bundles.remove()
    await postgres.close()
  })

  describe.each(Object.entries(serverRuntimes))('in %s', (_, serve) => {
    let server: Serving
    beforeAll(async () => {
      server = await serve(bundles.fileOf('server'))
    }, 600_000)
    afterAll(() => server.stop())

    const parts = [
      'postgres-storage?',
      ...partsOf('postgres-operations', 5),
      ...partsOf('pglite-storage', 3),
      'own-server?',
      'node-http?',
      'express?',
      'express-4?',
    ]

    it.each(parts)('all cases pass: %s', async (part) => {
      const databases = new URLSearchParams({ postgres: postgres.url, pglite: pgliteTemplate.directory })
      const pathWithDatabases = `${part}&${databases}`
      const names = await fetchFrom<string[]>(server, `${pathWithDatabases}&names`)
      expect(names.length).toBeGreaterThan(60)
      expect(await fetchFrom(server, pathWithDatabases)).toEqual({ passed: names.length, failed: [] })
    })
  })
})

async function fetchFrom<ResponseBody>({ port }: Serving, part: string): Promise<ResponseBody> {
  const response = await fetch(`http://127.0.0.1:${port}/${part}`)
  const text = await response.text()
  if (!response.ok) throw new Error(`${part}: ${response.status} ${text.slice(0, 4000)}`)
  return JSON.parse(text) as ResponseBody
}
