import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { transform } from 'esbuild'
import { defineConfig, type Options } from 'tsup'

const root = import.meta.dirname
const source = path.join(root, 'src')

/** The libraries that the build bundles. They are development dependencies: an installed core depends on no package. */
const bundled = ['@noble/hashes', 'immer', 'lru-cache', 'mustache', 're2js', 'valibot']

/** The entry points: the root, and one for each topic. */
const entries = ['src/index.ts', ...readdirSync(path.join(source, 'entries')).map((file) => `src/entries/${file}`)]

/** Every source file that is no test: the modules of the tree. */
const modules = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$|(^|\/)(test|build)\//.test(file))
  .map((file) => `src/${file}`)

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/** Minifies the code of libraries. */
const minifyLibraries: Plugin = {
  name: 'minify-libraries',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/].+\.[cm]?js$/ }, async ({ path: file }) => ({
      contents: (await transform(readFileSync(file, 'utf8'), { minify: true, legalComments: 'none' })).code,
    }))
  },
}

const common: Options = {
  format: ['esm'],
  target: 'es2022',
  platform: 'neutral',
  tsconfig: '../../tsconfig.build.json',
  noExternal: bundled,
  // `performance`: lru-cache looks for a clock that core does not use; Node would load a module for it.
  define: { performance: 'undefined', 'process.env.NODE_ENV': '"production"' },
}

/** The declarations. `build-for-node.mjs` writes the code that Node loads. */
const declarations: Options = {
  ...common,
  entry: entries,
  dts: {
    only: true,
    // Declarations include the types of valibot that core exports.
    resolve: ['valibot'],
    compilerOptions: { composite: false, ignoreDeprecations: '6.0' },
  },
}

/** Keeps every module a file of its own, so that bundlers leave out those that nothing imports. */
const oneFileEach: Plugin = {
  name: 'one-file-each',
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, ({ path: specifier, importer, kind }) =>
      kind === 'entry-point' || !importer.startsWith(source)
        ? undefined
        : { path: specifier.replace(/\.ts$/, '.js'), external: true },
    )
    // A library that several modules import is a file beside them.
    build.onResolve({ filter: /^(immer|lru-cache|valibot)$/ }, ({ path: name, kind, importer }) => {
      if (kind === 'entry-point' || !importer.startsWith(source)) return undefined
      const up = path.relative(path.dirname(importer), source).replaceAll('\\', '/') || '.'
      return { path: `${up}/${name}.js`, external: true }
    })
  },
}

/** For bundlers and other runtimes: a tree of modules, without white space; names stay. */
const forBundlers: Options = {
  ...common,
  entry: {
    ...Object.fromEntries(modules.map((file) => [file.slice('src/'.length, -'.ts'.length), file])),
    immer: 'node_modules/immer/dist/immer.mjs',
    'lru-cache': 'node_modules/lru-cache/dist/esm/browser/index.js',
    valibot: 'node_modules/valibot/dist/index.mjs',
  },
  outDir: 'dist/modules',
  splitting: false,
  esbuildOptions(options) {
    options.minifyWhitespace = true
    options.minifySyntax = true
  },
  esbuildPlugins: [oneFileEach, minifyLibraries],
  async onSuccess() {
    writeFileSync(path.join(root, 'dist/THIRD-PARTY.txt'), licenses())
  },
}

/** The licenses of the bundled libraries. */
function licenses(): string {
  const texts = bundled.map((name) => {
    const folder = path.join(root, 'node_modules', name)
    const file = readdirSync(folder).find((candidate) => /^licen[cs]e/i.test(candidate))
    if (!file) throw new Error(`${name} has no license file`)
    return `${name}\n\n${readFileSync(path.join(folder, file), 'utf8')}`
  })
  return texts.join('\n\n')
}

export default defineConfig([declarations, forBundlers])
