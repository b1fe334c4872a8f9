import { readFileSync } from 'node:fs'
import { EdgeVM } from '@edge-runtime/vm'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Bundles, bundleModules } from './homes/bundle-modules.ts'
import type { Serving } from './homes/serve-program.ts'
import { type ConformanceReport, conformanceHandler } from './runtimes/conformance-report.ts'
import { edgeRuntimes, serverRuntimes } from './runtimes/serve-module.ts'
import { serverBundle } from './runtimes/server-bundle.ts'
import { longTests } from './setup/long-tests.ts'
import { type TcpFront, tcpFront } from './setup/tcp-front.ts'

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

const askVm = async <Answer>(path: string): Promise<Answer> =>
  (await vm.evaluate(`conformance.default.fetch(new Request('http://localhost/${path}'))`)).json()

/** Returns the report of a suite without failures; the cases are counted independently of the run. */
async function allPassed(path: string): Promise<ConformanceReport> {
  const names = await askVm<string[]>(`${path}&names`)
  expect(names.length).toBeGreaterThan(25)
  return { passed: names.length, failed: [] }
}

describe('globals of edge runtimes', () => {
  it('include neither process nor Buffer nor require', () => {
    expect(vm.evaluate('[typeof process, typeof Buffer, typeof require]')).toEqual(Array(3).fill('undefined'))
  })

  // All operations take half a minute; long test runs execute them in every runtime.
  it.each(['storage?share=0&shares=2', 'transport?share=0&shares=4', 'operations?share=0&shares=61'])(
    'are sufficient for %s',
    async (part) => {
      expect(await askVm(part)).toEqual(await allPassed(part))
    },
  )
})

// Each part runs in its own account: the documents of all of them in one account would make it slow to read.
const inParts = (suite: string, shares: number) =>
  Array.from({ length: shares }, (_, share) => `${suite}?share=${share}&shares=${shares}`)

describe.runIf(longTests)('conformance suites on edge runtimes', { timeout: 600_000 }, () => {
  let bundles: Bundles
  beforeAll(async () => {
    bundles = await bundleModules({ edge: 'test/runtimes/edge-conformance.ts' })
  })
  afterAll(() => bundles.remove())

  describe.each(Object.entries(edgeRuntimes))('in %s', (_, serve) => {
    let served: Serving
    beforeAll(async () => {
      served = await serve(bundles.fileOf('edge'))
    }, 600_000)
    afterAll(() => served.stop())

    it.each(['storage?', 'transport?', ...inParts('operations', 7)])('all cases pass: %s', async (part) => {
      expect(await answerOf(served, part)).toEqual(await allPassed(part))
    })
  })
})

describe.runIf(longTests)('conformance suites on server runtimes', { timeout: 600_000 }, () => {
  let bundles: Bundles
  let postgres: TcpFront
  beforeAll(async () => {
    bundles = await bundleModules({ server: 'test/runtimes/server-conformance.ts' }, serverBundle)
    postgres = await tcpFront(inject('postgres'))
  })
  afterAll(async () => {
    bundles.remove()
    await postgres.close()
  })

  describe.each(Object.entries(serverRuntimes))('in %s', (_, serve) => {
    let served: Serving
    beforeAll(async () => {
      served = await serve(bundles.fileOf('server'))
    }, 600_000)
    afterAll(() => served.stop())

    const parts = [
      'postgres-storage?',
      ...inParts('postgres-operations', 5),
      ...inParts('pglite-storage', 3),
      'own-server?',
      'node-http?',
      'express?',
      'express-4?',
    ]

    it.each(parts)('all cases pass: %s', async (part) => {
      const where = new URLSearchParams({ postgres: postgres.url, pglite: inject('pgliteSnapshot') })
      const asked = `${part}&${where}`
      const names = await answerOf<string[]>(served, `${asked}&names`)
      expect(names.length).toBeGreaterThan(60)
      expect(await answerOf(served, asked)).toEqual({ passed: names.length, failed: [] })
    })
  })
})

async function answerOf<Answer>({ port }: Serving, part: string): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${port}/${part}`)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${part}: ${answer.status} ${text.slice(0, 4000)}`)
  return JSON.parse(text) as Answer
}
