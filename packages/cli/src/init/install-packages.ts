import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { cliError } from '../cli-error.ts'
import type { Terminal } from '../command.ts'
import type { Application, PackageManager } from './application.ts'

/** The command of each package manager that adds dependencies. */
const addCommands: Readonly<Record<PackageManager, readonly [string, ...string[]]>> = {
  npm: ['npm', 'install', '--no-audit', '--no-fund'],
  pnpm: ['pnpm', 'add'],
  yarn: ['yarn', 'add'],
  bun: ['bun', 'add'],
}

/**
 * Returns the arguments that name packages for a package manager.
 *
 * @param packages versions by name.
 * @param folder folder of packed packages. They and their dependencies are installed instead of the packages of the
 *   registry.
 * @throws CliError when the folder cannot be read.
 */
export function packageArguments(packages: Readonly<Record<string, string>>, folder: string | undefined): string[] {
  const packed = folder === undefined ? [] : packedPackages(folder)
  const published = Object.entries(packages).filter(([name]) => !packed.some((file) => isPackageIn(file, name)))
  const needed = packed.filter((file) => Object.keys(packages).some((name) => isPackageIn(file, name)))
  return [...needed, ...published.map(([name, version]) => `${name}@${version}`)]
}

function packedPackages(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith('.tgz'))
      .map((file) => path.resolve(folder, file))
  } catch (error) {
    throw cliError(`--packages: ${folder} cannot be read`, error)
  }
}

/** Tests whether a file is the packed package of this name: `npm pack` names it like `halyard-core-0.1.0.tgz`. */
function isPackageIn(file: string, name: string): boolean {
  const stem = name.replace('@', '').replace('/', '-')
  return new RegExp(`^${stem}-\\d.*\\.tgz$`).test(path.basename(file))
}

/** Returns the command line that adds packages to an application. */
export function addCommand(packageManager: PackageManager, packages: readonly string[]): [string, ...string[]] {
  return [...addCommands[packageManager], ...packages]
}

/**
 * Adds packages to an application by its package manager, which writes package.json and the lock file.
 *
 * @throws CliError when the package manager cannot be started or fails, with the last lines of its output.
 */
export async function installPackages(
  { folder, packageManager }: Application,
  packages: readonly string[],
  { env, signal }: Terminal,
): Promise<void> {
  const [program, ...args] = addCommand(packageManager, packages)
  const lines = await new Promise<string | undefined>((resolve, reject) => {
    const output: Buffer[] = []
    const child = spawn(program, args, { cwd: folder, env: { ...env }, signal, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk))
    child.once('error', reject)
    child.once('close', (code) => resolve(code === 0 ? undefined : Buffer.concat(output).toString()))
  }).catch((error: Error) => error.message)
  if (lines === undefined) return
  throw cliError(
    `${program} could not install the packages; nothing else was changed\n${lines.trim().split('\n').slice(-8).join('\n')}`,
  )
}
