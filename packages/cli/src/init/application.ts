import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { cliError, usageError } from '../cli-error.ts'

/** Frameworks that `halyard init` supports, each with the package whose presence identifies an application of it. */
const frameworkPackages = { next: 'next', nest: '@nestjs/core', hono: 'hono', express: 'express' } as const

export type Framework = keyof typeof frameworkPackages

export const frameworks = Object.keys(frameworkPackages) as readonly Framework[]

/** Files that identify a package manager, in the folder of the application or in a folder above it. */
const lockFiles = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
  'package-lock.json': 'npm',
} as const

export type PackageManager = (typeof lockFiles)[keyof typeof lockFiles]

/** An application that depends on a framework. */
export interface Application {
  readonly folder: string
  readonly name: string
  readonly framework: Framework
  readonly packageManager: PackageManager
  /** True when its `.js` and `.ts` files are ES modules. */
  readonly isModule: boolean
  /** True when TypeScript resolves imports as Node does, so that they need the extension of the compiled file. */
  readonly needsExtensions: boolean
  readonly isTypeScript: boolean
  /** Path of the file that package.json names as the main one. */
  readonly main: string | undefined
  readonly scripts: Readonly<Record<string, string>>
}

interface Manifest {
  readonly name?: string
  readonly type?: string
  readonly main?: string
  readonly packageManager?: string
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/**
 * Reads an application: its framework from the dependencies in package.json, its package manager from package.json or a
 * lock file, and its kind of modules.
 *
 * @param frameworkName framework that the user named. Default: the only one among the dependencies.
 * @throws CliError when the folder has no package.json, or no framework or several; then the user can name one.
 */
export async function readApplication(folder: string, frameworkName: string | undefined): Promise<Application> {
  const manifest = await readManifest(folder)
  const { name = path.basename(folder), main, scripts = {} } = manifest
  const tsconfig = await readFile(path.join(folder, 'tsconfig.json'), 'utf8').catch(() => undefined)
  const isModule = manifest.type === 'module'
  return {
    folder,
    name,
    framework: frameworkOf(manifest, frameworkName),
    packageManager: packageManagerOf(folder, manifest),
    isModule,
    isTypeScript: tsconfig !== undefined,
    needsExtensions:
      isModule && (tsconfig === undefined || /"module(Resolution)?"\s*:\s*"node(next|16|18|20)"/i.test(tsconfig)),
    main,
    scripts,
  }
}

async function readManifest(folder: string): Promise<Manifest> {
  try {
    return JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as Manifest
  } catch (error) {
    throw cliError(`${folder} is not an application: package.json cannot be read`, error)
  }
}

function frameworkOf({ dependencies, devDependencies }: Manifest, frameworkName: string | undefined): Framework {
  if (frameworkName !== undefined) {
    const framework = frameworks.find((each) => each === frameworkName)
    if (!framework) throw usageError(`--framework must be one of ${frameworks.join(', ')}, not "${frameworkName}"`)
    return framework
  }
  const names = { ...devDependencies, ...dependencies }
  const installedFrameworks = frameworks.filter((framework) => Object.hasOwn(names, frameworkPackages[framework]))
  // An application of Next or Nest often has Express or Hono as well, but is started by Next or Nest.
  const [first, second] = installedFrameworks
  if (first === undefined)
    throw usageError(`package.json depends on none of ${Object.values(frameworkPackages).join(', ')}`)
  if (second !== undefined && (first === 'hono' || second === 'nest'))
    throw usageError(`package.json depends on ${installedFrameworks.join(' and ')}: name one by --framework`)
  return first
}

function packageManagerOf(folder: string, { packageManager = '' }: Manifest): PackageManager {
  const declaredManager = Object.values(lockFiles).find((name) => packageManager.startsWith(`${name}@`))
  if (declaredManager) return declaredManager
  for (let each = path.resolve(folder); ; each = path.dirname(each)) {
    const file = Object.entries(lockFiles).find(([lockFile]) => existsSync(path.join(each, lockFile)))
    if (file) return file[1]
    if (each === path.dirname(each)) return 'npm'
  }
}
