import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BuildOptions, Plugin } from 'esbuild'
import { bundleModules } from '../homes/bundle-modules.ts'
import { root } from '../root.ts'

const programs = [
  'packages/cli/src/main.ts',
  'test/processes/limited-server.ts',
  'test/processes/pglite-writer.ts',
  'test/processes/writer.ts',
]

/**
 * Bundles the programs that tests start as processes, once for all of them: compiling the sources at each of some two
 * hundred starts took a fifth of the whole run.
 */
export async function bundlePrograms() {
  const files = [...programs, ...examples()]
  const bundles = await bundleModules(Object.fromEntries(files.map((file) => [file, file])), options)
  return { value: Object.fromEntries(files.map((file) => [file, bundles.fileOf(file)])), stop: bundles.remove }
}

/** Examples of the documentation, without those of homes, which are for other runtimes too and are bundled otherwise. */
function examples(): string[] {
  const folder = 'docs/examples'
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll(path.sep, '/')}`)
    .filter((file) => /(?<!\.d)\.ts$/.test(file) && !file.startsWith(`${folder}/homes/`))
}

/**
 * What is installed stays where it is, and is named by its address: so PGlite finds its WebAssembly beside itself, a
 * package is the same one for a program and for what is preloaded, and the bundles may lie outside of the repository,
 * where nothing that was left behind is in anybody's way.
 */
const installedWhereItIs: Plugin = {
  name: 'installed-where-it-is',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path: specifier, kind, importer, resolveDir, pluginData }) => {
      // The question that is asked here comes back here.
      if (pluginData === installedWhereItIs || kind === 'entry-point') return
      const found = await resolve(specifier, { kind, importer, resolveDir, pluginData: installedWhereItIs })
      const isInstalled = found.path.split(path.sep).includes('node_modules')
      return isInstalled ? { path: pathToFileURL(found.path).href, external: true } : found
    })
  },
}

/** Sources find what lies beside them, such as the page of the reference, from where they are. */
const sourcesWhereTheyAre: Plugin = {
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
  // What a package says to Node, which loads it.
  mainFields: ['main'],
  splitting: true,
  sourcemap: true,
  sourcesContent: false,
  define: {},
  plugins: [installedWhereItIs, sourcesWhereTheyAre],
}
