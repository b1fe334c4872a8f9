import { type BuildOptions, build } from 'esbuild'
import { root } from '../source-imports.ts'

/**
 * Bundles a module and all that it imports into one file, as the tools of edge platforms do.
 *
 * @param entry from the root of the repository.
 * @param outfile where the module is put.
 * @param options what differs from a bundle for any runtime.
 */
export async function bundleModule(entry: string, outfile: string, options: BuildOptions = {}): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile,
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
}
