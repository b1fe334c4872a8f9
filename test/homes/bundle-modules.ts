import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { root } from '../root.ts'

export interface Bundles {
  /** Returns the path of a bundle by its name. */
  fileOf(name: string): string
  remove(): void
}

/**
 * Bundles each module with all of its imports into one file, as the tools of edge platforms do.
 *
 * @param entries paths from the root of the repository, by the names of the bundles.
 * @param options build options that differ from those of a bundle for any runtime.
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
      // Not every runtime has a `process`, and Deno requires a permission to read it.
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

/** Build options for runtimes that have the modules of Node; shared imports are in a separate file. */
export const forServers: BuildOptions = {
  platform: 'node',
  splitting: true,
  // Nest loads these packages if they are installed.
  external: ['@nestjs/microservices', '@nestjs/websockets', 'class-transformer', 'class-validator'],
  // Bundled CommonJS modules load those of Node by `require`, which ES modules do not have.
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url)",
  },
}
