import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { createEngine } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'
import { createMemoryStorage } from '@halyard/storage-memory'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { encodeManifest } from './build/encode-manifest.ts'
import { manifestFile, manifestText } from './build/manifest-file.ts'
import { manifest } from './manifest.ts'
import { readManifest } from './read-manifest.ts'

const { operations } = createEngine({ storage: createMemoryStorage() })

const entryOf = ({ id, method, path, body, success }: Operation) => ({
  id,
  method,
  path: path.replace('/api/v2', '').replaceAll(/\{(\w+)\}/g, ':$1'),
  file: body?.kind === 'upload' || success.mediaType !== undefined ? '!' : '',
})

function entriesOf(text: string) {
  const entries: { id: string; method: string; path: string; file: string }[] = []
  readManifest(text, (id, method, path, file) => void entries.push({ id, method, path, file }))
  return entries.sort(byId)
}

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)

describe('the manifest', () => {
  it('is fresh', async () => {
    expect(await readFile(manifestFile, 'utf8'), 'run npm run generate').toBe(manifestText())
  })

  it('says of every operation what its card says', () => {
    expect(entriesOf(manifest)).toEqual(operations.map(entryOf).sort(byId))
  })

  it('reads what is written, whatever the operations are called', () => {
    const card = (id: string, method: string, path: string) => ({ id, method, path, success: {} }) as Operation
    const strange = [
      card('listFlags', 'GET', '/api/v2/flags'),
      card('createFlag', 'POST', '/api/v2/flags'),
      card('putEverything', 'PUT', '/api/v2/flags'),
      card('getUp', 'GET', '/api/v2/flags/{flagKey}'),
      card('listSheep', 'GET', '/api/v2/flags/{flagKey}/sheep'),
      card('deleteFlagSheep', 'DELETE', '/api/v2/flags/{flagKey}/sheep/a/b/{id}'),
      card('mendRepository', 'PATCH', '/api/v2/repositories'),
      card('listRepositories', 'GET', '/api/v2/repositories'),
      card('updateIt', 'PATCH', '/api/v2/x/{id}/y'),
    ]
    expect(entriesOf(encodeManifest(strange).join(''))).toEqual(strange.map(entryOf).sort(byId))
  })

  it('refuses what it cannot say', () => {
    const card = { id: 'getTeam', method: 'GET', path: '/api/v2/teams', success: {} } as Operation
    const wrong = [
      { ...card, path: '/insights' },
      { ...card, path: '/api/v2/2fa' },
      { ...card, success: { status: 200, mediaType: 'text/plain' } } as Operation,
    ]
    for (const one of wrong) expect(() => encodeManifest([one])).toThrow('getTeam')
    expect(() => encodeManifest([{ ...card, id: 'team' }])).toThrow('team: it has no verb')
  })
})

describe('the package', () => {
  it('is small, and imports nothing', async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: [path.join(import.meta.dirname, 'index.ts')],
      bundle: true,
      minify: true,
      splitting: true,
      metafile: true,
      write: false,
      outdir: 'dist',
      format: 'esm',
      target: 'es2022',
      platform: 'neutral',
      logLevel: 'silent',
    })
    const inputs = Object.keys(metafile.inputs)
    expect(inputs.filter((file) => !file.includes('packages/client/src/'))).toEqual([])
    const sizes = outputFiles.map(({ contents }) => gzipSync(contents, { level: 9 }).byteLength)
    expect(sizes[outputFiles.findIndex((file) => file.path.endsWith('index.js'))]).toBeLessThan(3_250)
    // And what only the two operations with files load.
    expect(sizes).toHaveLength(2)
    expect(Math.min(...sizes)).toBeLessThan(600)
  })
})
