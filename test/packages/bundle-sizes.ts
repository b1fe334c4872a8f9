import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { specOperationNames } from './spec-operation-names.ts'

/** A bundle, and the maximum of its size in kB (1,000 bytes) of gzip. */
export interface Budget {
  readonly of: string
  readonly source: string
  readonly max: number
}

const memoryAndFetch = `export { createMemoryStorage } from '@halyard/storage-memory'
export { createFetchHandler } from '@halyard/transport-fetch'`

/** Returns the source of an engine of these operations, with memory storage and fetch handler. */
export const engineOf = (...names: string[]) =>
  `export { ${['createEngineOf', ...names].join(', ')} } from '@halyard/core/operations'\n${memoryAndFetch}`

export const engines: readonly Budget[] = [
  { of: 'an engine with three read operations', source: engineOf('getSegment', 'getTeam', 'getToken'), max: 80 },
  { of: 'an engine of the operations of the specification', source: engineOf(...specOperationNames()), max: 232 },
  {
    of: 'an engine of every operation',
    source: `export { createEngine } from '@halyard/core'\n${memoryAndFetch}`,
    // A quarter of this size is RE2, which searches patterns of flags that could be slow.
    max: 520,
  },
]

/** A bundle of everything that an entry point of core exports. */
const allExportsOf = (entry: string, max: number): Budget => ({
  of: `@halyard/core/${entry}`,
  source: `export * from '@halyard/core/${entry}'`,
  max,
})

export const entries: readonly Budget[] = [
  { of: 'evaluate', source: `export { evaluate } from '@halyard/core/evaluation'`, max: 10 },
  {
    of: 'rulesets and their evaluation',
    source: `export { compileRuleset, evaluate, evaluateAll, replaceFlag } from '@halyard/core/evaluation'`,
    max: 10,
  },
  {
    of: 'evaluation of a snapshot',
    source: `export { snapshotFrom, snapshotReader } from '@halyard/core/evaluation'`,
    max: 12,
  },
  // RE2, which `re2Pattern` contains, is 46 kB of this size.
  allExportsOf('evaluation', 62),
  allExportsOf('policy', 8.2),
  allExportsOf('flags', 5),
  allExportsOf('json-patch', 3),
  allExportsOf('webhooks', 4),
  // Statistics are 6 kB of this size.
  allExportsOf('insights', 14),
  allExportsOf('storage', 7),
]

/**
 * Returns the size of a bundle in kB of gzip.
 *
 * @param options where its imports are found, and under which conditions of `exports`.
 */
export async function gzipKilobytes(source: string, options: BundleOptions): Promise<number> {
  return gzipSync(await bundled(source, options), { level: 9 }).length / 1000
}

export interface BundleOptions {
  /** Folder in whose `node_modules` the packages are. */
  readonly folder: string
  /** Conditions of `exports`, e.g. `@halyard/source`. */
  readonly conditions: string[]
}

/** Bundles and minifies a module into one file, as for a worker. */
export async function bundled(contents: string, { folder, conditions }: BundleOptions): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder, loader: 'ts' },
    conditions,
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
