import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import ts from 'typescript'
import { root } from '../source-imports.ts'
import { workspacePackages } from './workspace-packages.ts'

const run = promisify(execFile)
const pnpm = ['--yes', 'pnpm@10.34.9']
const outputLimit = { maxBuffer: 64 * 1024 * 1024 }

/**
 * Builds all packages and packs them as they are published.
 *
 * @param folder directory for the tarballs.
 * @returns the path of each tarball by the name of its package.
 */
export async function packPackages(folder: string): Promise<ReadonlyMap<string, string>> {
  mkdirSync(folder, { recursive: true })
  if (process.env.HALYARD_BUILT !== '1') await run('npm', ['run', 'build'], { cwd: root, ...outputLimit })
  for (const { folder: cwd } of workspacePackages) {
    await run('npx', [...pnpm, 'pack', '--pack-destination', folder], { cwd, ...outputLimit })
  }
  const packed = readdirSync(folder)
  const tarballs = workspacePackages.map(({ manifest: { name, version } }) => {
    const file = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
    if (!packed.includes(file)) throw new Error(`${name} was not packed: ${packed.join(', ')}`)
    return [name, path.join(folder, file)] as const
  })
  return new Map(tarballs)
}

/** Lists the files in a tarball, without the folder that contains all of them. */
export async function filesIn(tarball: string): Promise<string[]> {
  const { stdout } = await run('tar', ['-tzf', tarball], outputLimit)
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.replace(/^package\//, '')]))
}

/** Returns the size of all files in a tarball, in bytes. */
export async function unpackedSize(tarball: string): Promise<number> {
  const { stdout } = await run('tar', ['-xzOf', tarball], { ...outputLimit, encoding: 'buffer' })
  return stdout.byteLength
}

/** Returns the text of a file in a tarball. */
export async function textIn(tarball: string, file: string): Promise<string> {
  const { stdout } = await run('tar', ['-xzOf', tarball, `package/${file}`], outputLimit)
  return stdout
}

/**
 * Returns the names of the packages that the code and the declarations in a tarball import, without modules of Node.
 *
 * @param folder where the tarball is unpacked.
 */
export async function importsIn(tarball: string, folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true })
  await run('tar', ['-xzf', tarball, '-C', folder])
  const files = (await filesIn(tarball)).map((file) => path.join(folder, 'package', file))
  const code = files.filter((file) => file.endsWith('.js'))
  const declarations = files.filter((file) => /\.d\.c?ts$/.test(file))
  const specifiers = [...(await importsOfCode(code)), ...declarations.flatMap(importsOfDeclarations)]
  const names = specifiers.flatMap((specifier) => /^(@[^/]+\/[^/]+|[^@./#][^/]*)/.exec(specifier)?.[0] ?? [])
  // Node knows only the modules of its own version.
  return [...new Set(names)].filter((name) => !name.startsWith('node:') && !isBuiltin(name)).sort()
}

async function importsOfCode(entryPoints: string[]): Promise<string[]> {
  const { metafile } = await build({
    entryPoints,
    bundle: true,
    packages: 'external',
    external: ['#*'],
    format: 'esm',
    platform: 'node',
    outdir: root,
    write: false,
    logLevel: 'error',
    metafile: true,
  })
  return Object.values(metafile.outputs).flatMap(({ imports }) => imports.map((imported) => imported.path))
}

function importsOfDeclarations(file: string): string[] {
  return ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles.map(({ fileName }) => fileName)
}

/** Runs a program from the dev dependencies of the repository and returns its output, whether it failed or not. */
export async function runTool(
  name: string,
  args: readonly string[],
  cwd = root,
): Promise<{ ok: boolean; text: string }> {
  const program = path.join(root, 'node_modules/.bin', name)
  if (!existsSync(program)) throw new Error(`${name} is not installed`)
  return runProgram(program, args, cwd)
}

/** Runs a program and returns its output, whether it failed or not. */
export async function runProgram(
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<{ ok: boolean; text: string }> {
  try {
    const { stdout, stderr } = await run(program, [...args], { cwd, ...outputLimit })
    return { ok: true, text: `${stdout}${stderr}` }
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string }
    return { ok: false, text: `${message}\n${stdout}${stderr}` }
  }
}
