import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../source-imports.ts'
import { engines, entries, gzipKilobytes } from './bundle-sizes.ts'
import { packageSizes } from './package-sizes.ts'
import { filesIn, importsIn, packPackages, runProgram, runTool, textIn, unpackedSize } from './packed-packages.ts'
import { applicationPeers } from './peer-versions.ts'
import { type ExportConditions, pathsOf, workspacePackages } from './workspace-packages.ts'

// Builds everything and installs from the registry, which takes minutes.
const isLongRun = process.env.HALYARD_LONG_TESTS === '1'

/** Packages that ship CommonJS too; `test/packages/manifests.test.ts` checks which packages must. */
const withCommonJs = new Set(
  workspacePackages
    .filter(({ manifest }) =>
      pathsOf(manifest.exports['.'] as ExportConditions).some(([, file]) => file.endsWith('.cjs')),
    )
    .map(({ manifest }) => manifest.name),
)

/** The compilers that the declarations support, under the names by which the consumer installs them. */
const compilers = { typescript: 'npm:typescript@6.0.3', 'typescript-5': 'npm:typescript@5.9.3' }

const installers = {
  npm: { program: 'npm', args: ['install', '--no-audit', '--no-fund'] },
  pnpm: { program: 'npx', args: ['--yes', 'pnpm@10.34.9', 'install'] },
  yarn: {
    program: 'npx',
    // Yarn has a separate cache here, because the default cache would return the last tarball with the same version.
    args: ['--yes', 'yarn@1.22.22', 'install', '--non-interactive', '--no-progress', '--cache-folder', '.yarn-cache'],
  },
}

describe.runIf(isLongRun)('packed packages', { timeout: 600_000 }, () => {
  let folder: string
  let tarballs: ReadonlyMap<string, string>

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'halyard-packages-'))
    tarballs = await packPackages(path.join(folder, 'tarballs'))
  }, 1_800_000)
  // Three installations contain 100,000 files.
  afterAll(() => rmSync(folder, { recursive: true, force: true }), 300_000)

  describe.each(workspacePackages)('$manifest.name', ({ manifest, folder: source }) => {
    const { name } = manifest
    const tarball = () => tarballs.get(name) as string

    it('contains its manifest, its license, its README and the built files', async () => {
      const files = await filesIn(tarball())
      expect(files).toEqual(expect.arrayContaining(['package.json', 'LICENSE', 'README.md', 'dist/index.js']))
      expect(files.filter((file) => !/^(package\.json|LICENSE|README\.md|dist\/.+)$/.test(file))).toEqual([])
    })

    it('passes publint', async () => {
      const { messages } = await publint({ pack: { tarball: bytesOf(tarball()) } })
      expect(messages.filter(({ type }) => type !== 'suggestion')).toEqual([])
    })

    it('passes attw, which checks its types', async () => {
      const profile = withCommonJs.has(name) ? 'node16' : 'esm-only'
      const entries = ['--exclude-entrypoints', './package.json']
      const { ok, text } = await runTool('attw', [tarball(), '--profile', profile, '--format', 'ascii', ...entries])
      expect(ok, text).toBe(true)
    })

    it('contains no source maps, and declarations of the ES modules only once', async () => {
      const files = await filesIn(tarball())
      expect(files.filter((file) => file.endsWith('.map'))).toEqual([])
      for (const file of files.filter((candidate) => candidate.endsWith('.d.cts'))) {
        expect(await textIn(tarball(), file)).toMatch(/^export type \* from '\.\/[\w-]+\.js'/)
      }
    })

    it('imports only what it declares, and declares only what it or its dependencies import', async () => {
      const imported = await importsIn(tarball(), path.join(folder, 'contents', name))
      const dependencies = Object.keys(manifest.dependencies ?? {})
      const declared = [...dependencies, ...Object.keys(manifest.peerDependencies ?? {}), name]
      expect(imported.filter((specifier) => !declared.includes(specifier))).toEqual([])
      const needed = [...imported, ...dependencies.flatMap((dependency) => peersOf(dependency, source))]
      expect(dependencies.filter((dependency) => !needed.includes(dependency))).toEqual([])
    })

    it('has at most the size in the list, in kB unpacked', async () => {
      const size = (await unpackedSize(tarball())) / 1000
      expect(size, `${name}: ${size.toFixed(1)} kB`).toBeLessThanOrEqual(packageSizes[name] ?? 0)
    })
  })

  const applications = Object.entries(installers).flatMap(([manager, installer]) =>
    Object.entries(applicationPeers).map(([age, peers]) => ({ manager, installer, age, peers })),
  )

  describe.each(applications)(
    'when installed with $manager beside the $age peers',
    ({ manager, installer, age, peers }) => {
      let consumer: string
      let output: string

      beforeAll(async () => {
        consumer = path.join(folder, `${manager}-${age}`)
        writeConsumer(consumer, tarballs, peers)
        const { ok, text } = await runProgram(installer.program, installer.args, consumer)
        expect(ok, text).toBe(true)
        output = text
      }, 600_000)

      it('no peer dependency is reported as missing or in conflict', () => {
        expect(output.split('\n').filter((line) => /ERESOLVE|peer dep|unmet peer|missing peer/i.test(line))).toEqual([])
      })

      it('has the versions of the peers that the application named', () => {
        const installed = Object.keys(peers).map((name) => {
          const file = path.join(consumer, 'node_modules', name, 'package.json')
          return [name, JSON.parse(readFileSync(file, 'utf8')).version]
        })
        expect(Object.fromEntries(installed)).toMatchObject(exactVersions(peers))
      })

      it.each(['import.mjs', 'require.cjs'])('the program %s runs', async (file) => {
        const { ok, text } = await runProgram(process.execPath, [file], consumer)
        expect(ok, text).toBe(true)
        expect(text.trim()).toBe('200 checkout')
      })

      // Bundlers see the same files, whichever package manager installed them.
      const budgets = manager === 'npm' && age === 'newest' ? [...engines, ...entries] : []
      it.each(budgets)('$of: at most $max kB of gzip', async ({ of, source, max }) => {
        const size = await gzipKilobytes(source, { folder: consumer, conditions: [] })
        expect(size, `${of}: ${size.toFixed(1)} kB of gzip`).toBeLessThanOrEqual(max)
      })

      const checks = Object.keys(compilers).flatMap((compiler) => [
        [compiler, 'node16'],
        [compiler, 'bundler'],
      ])
      // The declarations are the same for every package manager.
      it.runIf(manager === 'npm').each(checks)(
        'the types compile with %s under module resolution %s',
        async (compiler, resolution) => {
          const tsc = path.join('node_modules', compiler as string, 'bin/tsc')
          const { ok, text } = await runProgram(process.execPath, [tsc, '-p', `tsconfig.${resolution}.json`], consumer)
          expect(ok, text).toBe(true)
        },
      )
    },
  )
})

/** Writes an application that depends on the tarballs of all packages. */
function writeConsumer(
  folder: string,
  tarballs: ReadonlyMap<string, string>,
  peers: Readonly<Record<string, string>>,
): void {
  cpSync(path.join(root, 'test/packages/consumer'), folder, { recursive: true })
  mkdirSync(folder, { recursive: true })
  const local = Object.fromEntries([...tarballs].map(([name, file]) => [name, `file:${file}`]))
  const manifest = {
    name: 'consumer',
    version: '1.0.0',
    private: true,
    type: 'module',
    dependencies: { ...local, ...peers, '@types/node': '20.19.43', ...compilers },
    // The packages depend on each other, and are not in the registry yet.
    overrides: Object.fromEntries(Object.keys(local).map((name) => [name, `$${name}`])),
    pnpm: { overrides: local },
    resolutions: local,
  }
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
}

/** Returns the names of the peer dependencies of an installed package. */
function peersOf(name: string, dependent: string): string[] {
  const { peerDependencies = {} } = JSON.parse(
    readFileSync(path.join(dependent, 'node_modules', name, 'package.json'), 'utf8'),
  )
  return Object.keys(peerDependencies)
}

/** Returns the versions that are exact. A package manager chooses the version of a range. */
function exactVersions(peers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(peers).filter(([, version]) => /^\d/.test(version)))
}

/** Returns the bytes of a file in a new buffer. */
function bytesOf(file: string): ArrayBuffer {
  return new Uint8Array(readFileSync(file)).buffer
}
