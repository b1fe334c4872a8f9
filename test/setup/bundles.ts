import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BuildOptions, Plugin } from 'esbuild'
import { bundleModules } from '../homes/bundle-modules.ts'
import { root } from '../root.ts'
import { hasOldest, oldestManifest, oldestProject } from './oldest-versions.ts'

const programs = [
  'packages/cli/src/main.ts',
  'test/processes/limited-server.ts',
  'test/processes/pglite-writer.ts',
  'test/processes/sqlite-counter.ts',
  'test/processes/exporter.ts',
  'test/processes/event-sender.ts',
  'test/processes/releaser.ts',
  'test/processes/change-follower.ts',
  'test/processes/writer.ts',
]

/** The programs of suites that also run with the oldest peer dependencies. */
const programsForOldest = ['test/processes/pglite-writer.ts']

/**
 * Bundles the programs that tests start as processes, once for all of them: compiling the sources at each of some two
 * hundred starts took a fifth of the whole run.
 */
export async function bundlePrograms(projectName: string) {
  const isOldest = projectName === oldestProject
  const files = isOldest ? programsForOldest : [...programs, ...examples()]
  const plugins = [externalPackages(isOldest), originalSourcePaths]
  const bundles = await bundleModules(Object.fromEntries(files.map((file) => [file, file])), { ...options, plugins })
  return { value: Object.fromEntries(files.map((file) => [file, bundles.fileOf(file)])), stop: bundles.remove }
}

/**
 * Returns the examples of the documentation, except the examples in docs/examples/homes: these also run on other
 * runtimes, so they are bundled separately.
 */
function examples(): string[] {
  const folder = 'docs/examples'
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll(path.sep, '/')}`)
    .filter((file) => /(?<!\.d)\.ts$/.test(file) && !file.startsWith(`${folder}/homes/`))
}

/**
 * Keeps installed packages external and imports them by URL: PGlite finds its WebAssembly next to itself, a program and
 * its preloaded modules share one copy of a package, and the bundles can be written outside of the repository.
 */
function externalPackages(isOldest: boolean): Plugin {
  return {
    name: 'installed-where-it-is',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^[^./]/ }, async ({ path: specifier, kind, importer, resolveDir, pluginData }) => {
        // The call of `resolve` below calls this handler again, which must then ignore the import.
        if (pluginData === externalPackages || kind === 'entry-point') return
        const from = isOldest && hasOldest(specifier) ? path.dirname(oldestManifest) : resolveDir
        const resolved = await resolve(specifier, { kind, importer, resolveDir: from, pluginData: externalPackages })
        const isInstalled = resolved.path.split(path.sep).includes('node_modules')
        return isInstalled ? { path: pathToFileURL(resolved.path).href, external: true } : resolved
      })
    },
  }
}

/** Replaces import.meta paths, because sources read files next to them, such as the page of the reference. */
const originalSourcePaths: Plugin = {
  name: 'sources-where-they-are',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      const text = await readFile(file, 'utf8')
      const contents = text
        .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(file)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href))
      return { contents, loader: 'ts' }
    })
  },
}

const options: BuildOptions = {
  platform: 'node',
  // The entry that Node would load.
  mainFields: ['main'],
  splitting: true,
  sourcemap: true,
  sourcesContent: false,
  define: {},
}
