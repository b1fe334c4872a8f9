import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EdgeVM } from '@edge-runtime/vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Listening } from './homes/listening-server.ts'
import { bundleModule } from './runtimes/bundle-module.ts'
import { type ConformanceReport, conformanceHandler, shareOf } from './runtimes/conformance-report.ts'
import { edgeSuites } from './runtimes/edge-suites.ts'
import { serveModule } from './runtimes/serve-module.ts'
import { longTests } from './setup/long-tests.ts'

const suites = Object.keys(edgeSuites) as (keyof typeof edgeSuites)[]

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'halyard-runtimes-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a report', () => {
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

  it('counts what passes and names what fails', async () => {
    const failure = { group: 'sums', name: 'do not hold', message: expect.stringContaining('1 is not 2') }
    expect(await reportOf('')).toEqual({ passed: 2, failed: [failure] })
  })

  it('is of the part that was asked for, and the parts make the whole', async () => {
    expect(await reportOf('?share=0&shares=2')).toEqual({ passed: 2, failed: [] })
    expect(await reportOf('?share=1&shares=2')).toMatchObject({ passed: 0, failed: [{ name: 'do not hold' }] })
  })
})

/** What a whole report says when all is well, counted here and not where the cases ran. */
const allPassed = (suite: keyof typeof edgeSuites, share = 0, shares = 1): ConformanceReport => ({
  passed: shareOf(edgeSuites[suite]().cases, share, shares).length,
  failed: [],
})

describe('a virtual machine with the globals of edge runtimes and nothing else', () => {
  let vm: EdgeVM
  beforeAll(async () => {
    const bundle = path.join(folder, 'edge-vm.js')
    const options = { format: 'iife', globalName: 'conformance' } as const
    await bundleModule('test/runtimes/edge-conformance.ts', bundle, options)
    vm = new EdgeVM({ initialCode: readFileSync(bundle, 'utf8') })
  })

  const reportOf = async (path: string): Promise<ConformanceReport> =>
    (await vm.evaluate(`conformance.default.fetch(new Request('http://localhost/${path}'))`)).json()

  it('has neither process nor Buffer', () => {
    expect(vm.evaluate('[typeof process, typeof Buffer, typeof require]')).toEqual(Array(3).fill('undefined'))
  })

  // All of them take minutes, and are run in every runtime when there is time.
  const shares = { storage: 1, transport: 2, operations: 61 }

  it.each(suites)('passes %s', async (suite) => {
    expect(await reportOf(`${suite}?share=0&shares=${shares[suite]}`)).toEqual(allPassed(suite, 0, shares[suite]))
  })
})

describe.runIf(longTests).each(Object.entries(serveModule))('%s', { timeout: 600_000 }, (_, serve) => {
  let served: Listening
  beforeAll(async () => {
    const bundle = path.join(folder, 'edge.mjs')
    await bundleModule('test/runtimes/edge-conformance.ts', bundle)
    served = await serve(bundle)
  }, 600_000)
  afterAll(() => served.stop())

  // Each in an account of its own: what all of them leave in one makes reading it slow.
  const parts = 7
  const requests = suites.flatMap((suite) => {
    const shares = suite === 'operations' ? parts : 1
    return Array.from({ length: shares }, (_, share) => ({ suite, share, shares }))
  })

  it.each(requests)('passes $suite, part $share of $shares', async ({ suite, share, shares }) => {
    const answer = await fetch(`http://127.0.0.1:${served.port}/${suite}?share=${share}&shares=${shares}`)
    expect(await answer.json()).toEqual(allPassed(suite, share, shares))
  })
})
