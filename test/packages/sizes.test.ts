import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { root } from '../source-imports.ts'
import { cardNamesOfSpec } from './spec-cards.ts'

/** What an application imports, beside memory and the fetch handler, and the kB (1,000 bytes) that it may weigh. */
const budgets: readonly { readonly what: string; readonly imports: readonly string[]; readonly most: number }[] = [
  {
    what: 'an engine that answers a few reads',
    imports: ['createEngineOf', 'getSegment', 'getTeam', 'getToken'],
    most: 59,
  },
  { what: 'the operations of spec.md', imports: ['createEngineOf', ...cardNamesOfSpec()], most: 106 },
  // A quarter of it is RE2, for expressions in flags that could take for ever.
  { what: 'every operation, evaluation, simulation, SDKs', imports: ['createEngine'], most: 267 },
]

it.each(budgets)('$what: at most $most kB of gzip', async ({ imports, most }) => {
  expect(await gzipKilobytes(imports)).toBeLessThanOrEqual(most)
})

/** Minified in one file, as for a worker. The modules are those that bundlers get of the built package, one by one. */
async function gzipKilobytes(imports: readonly string[]): Promise<number> {
  const contents = [
    `export { ${imports.join(', ')} } from '@halyard/core'`,
    `export { createMemoryStorage } from '@halyard/storage-memory'`,
    `export { createFetchHandler } from '@halyard/transport-fetch'`,
  ].join('\n')
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
  return gzipSync(outputFiles[0]?.contents as Uint8Array, { level: 9 }).length / 1000
}
