import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { root } from '../source-imports.ts'
import { specOperationNames } from './spec-operation-names.ts'

/** A bundle, and the maximum of its size in kB (1,000 bytes) of gzip. */
interface Budget {
  readonly of: string
  readonly source: string
  readonly max: number
}

const memoryAndFetch = `export { createMemoryStorage } from '@halyard/storage-memory'
export { createFetchHandler } from '@halyard/transport-fetch'`

const operations = (...names: string[]) =>
  `export { ${['createEngineOf', ...names].join(', ')} } from '@halyard/core/operations'\n${memoryAndFetch}`

const engines: readonly Budget[] = [
  { of: 'an engine with three read operations', source: operations('getSegment', 'getTeam', 'getToken'), max: 70 },
  { of: 'an engine of the operations of the specification', source: operations(...specOperationNames()), max: 200 },
  {
    of: 'an engine of every operation',
    source: `export { createEngine } from '@halyard/core'\n${memoryAndFetch}`,
    // A quarter of it is RE2, for patterns of flags that could be slow.
    max: 372,
  },
]

/** A bundle of everything that an entry point of core exports. */
const allExportsOf = (entry: string, max: number): Budget => ({
  of: `@halyard/core/${entry}`,
  source: `export * from '@halyard/core/${entry}'`,
  max,
})

const entries: readonly Budget[] = [
  { of: 'evaluate', source: `export { evaluate } from '@halyard/core/evaluation'`, max: 10 },
  {
    of: 'rulesets and their evaluation',
    source: `export { compileRuleset, evaluate, evaluateAll, replaceFlag } from '@halyard/core/evaluation'`,
    max: 10,
  },
  // RE2, which is `re2Pattern`, is 46 kB of it.
  allExportsOf('evaluation', 62),
  allExportsOf('policy', 8),
  allExportsOf('json-patch', 3),
  allExportsOf('webhooks', 4),
  // Statistics are 6 kB of it.
  allExportsOf('insights', 14),
  allExportsOf('storage', 2),
]

describe.each([
  { group: 'engines', budgets: engines },
  { group: 'entry points', budgets: entries },
])('bundles of $group', ({ budgets }) => {
  it.each(budgets)('$of: at most $max kB of gzip', async ({ of, source, max }) => {
    const size = await gzipKilobytes(source)
    expect(size, `${of}: ${size.toFixed(1)} kB of gzip`).toBeLessThanOrEqual(max)
  })
})

it('an engine without AI configs contains no Mustache', async () => {
  const message = 'Unclosed tag'
  const mustache = new TextDecoder().decode(await bundled(`export { createEngine } from '@halyard/core'`))
  expect(mustache).toContain(message)
  const source = operations('getFlag', 'evaluators', 'sdkEndpoints', 'backUps')
  expect(new TextDecoder().decode(await bundled(source))).not.toContain(message)
})

async function gzipKilobytes(source: string): Promise<number> {
  return gzipSync(await bundled(source), { level: 9 }).length / 1000
}

/** Bundles and minifies a module into one file, as for a worker, from the modules that bundlers get one by one. */
async function bundled(contents: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    conditions: ['@halyard/source'],
    define: { 'process.env.NODE_ENV': '"production"' },
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    format: 'esm',
    bundle: true,
    minify: true,
    write: false,
  })
  return outputFiles[0]?.contents as Uint8Array
}
