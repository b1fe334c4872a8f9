import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { createEngine } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'
import { createMemoryStorage } from '@halyard/storage-memory'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { manifestLine } from './build/manifest-file.ts'
import { manifest } from './manifest.ts'
import { readManifest } from './read-manifest.ts'

/** Maximum size of the minified client, bytes of gzip: its code, and a line of the manifest for each operation. */
const maxSize = 2_400 + 10 * readManifest(manifest).length

describe('the manifest', () => {
  it('has the method, path and file of every operation of the engine', async () => {
    const operations = await createEngine({ storage: createMemoryStorage() }).definitions()
    const fileOf = ({ body, success }: Operation) =>
      body?.kind === 'upload' ? 'upload' : success.mediaType === undefined ? undefined : 'download'
    const expected = operations.map((operation) => {
      const { id, method, path } = operation
      return { id, method, path, file: fileOf(operation) }
    })
    expect(new Set(readManifest(manifest))).toEqual(new Set(expected))
    expect(readManifest(manifest)).toHaveLength(operations.length)
  })

  it('rejects an operation that returns a file other than CSV', () => {
    const success = { status: 200, mediaType: 'text/plain' }
    const operation = { id: 'getLog', method: 'GET', path: '/api/v2/log', success } as Operation
    expect(() => manifestLine(operation)).toThrow('getLog: the media type must be text/csv')
  })
})

describe('the bundled package', () => {
  const bundle = build({
    entryPoints: [path.join(import.meta.dirname, 'index.ts')],
    bundle: true,
    minify: true,
    metafile: true,
    write: false,
    outdir: 'dist',
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    logLevel: 'silent',
  })

  it('contains no file of another package', async () => {
    const inputs = Object.keys((await bundle).metafile.inputs)
    expect(inputs.filter((file) => !file.includes('packages/client/src/'))).toEqual([])
  })

  it(`has at most ${maxSize} bytes of gzip`, async () => {
    const [output] = (await bundle).outputFiles
    expect(gzipSync(output?.contents as Uint8Array, { level: 9 }).byteLength).toBeLessThanOrEqual(maxSize)
  })
})
