import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { root } from '../root.ts'

export interface Bundles {
  /** Where each module is, by its name. */
  fileOf(name: string): string
  remove(): void
}

/**
 * Bundles modules with all that they import into one file each, as the tools of edge platforms do.
 *
 * @param entries paths from the root of the repository, by the names that the bundles are to have.
 * @param options what differs from a bundle for any runtime.
 */
export async function bundleModules(
  entries: Readonly<Record<string, string>>,
  options: BuildOptions = {},
): Promise<Bundles> {
  const outdir = mkdtempSync(path.join(tmpdir(), 'halyard-bundles-'))
  const remove = () => rmSync(outdir, { recursive: true, force: true })
  try {
    await build({
      entryPoints: entries,
      outdir,
      outExtension: { '.js': '.mjs' },
      absWorkingDir: root,
      bundle: true,
      format: 'esm',
      platform: 'neutral',
      mainFields: ['module', 'main'],
      conditions: ['@halyard/source'],
      target: 'es2022',
      // Not every runtime has a `process`, and Deno asks for a permission.
      define: { 'process.env.NODE_ENV': '"production"' },
      logLevel: 'error',
      ...options,
    })
  } catch (error) {
    remove()
    throw error
  }
  return { fileOf: (name) => path.join(outdir, `${name}.mjs`), remove }
}

/** For runtimes that have the modules of Node; what they all import is in a file of its own. */
export const forServers: BuildOptions = {
  platform: 'node',
  splitting: true,
  // What is no module asks for those of Node by `require`.
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
}
