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

/** Libraries that few calls need: the file to bundle, and the exports that core uses. */
const lazy: Readonly<Record<string, { readonly file: string; readonly exports: string }>> = {
  re2js: {
    file: 're2js/build/index.cjs',
    exports: 'export const RE2JS = { compile: (source) => load().RE2JS.compile(source) }',
  },
  immer: {
    file: 'immer/dist/cjs/immer.cjs.production.js',
    exports: 'export const produce = (...args) => load().produce(...args); export const castDraft = (value) => value',
  },
}

/** Bundles the lazy libraries so that the first call runs them, synchronously, and not the import of core. */
const loadLazily: Plugin = {
  name: 'load-lazily',
  setup(build) {
    build.onResolve({ filter: /^(re2js|immer)$/ }, ({ path: name, kind }) =>
      kind === 'require-call'
        ? { path: path.join(root, 'node_modules', (lazy[name] as { readonly file: string }).file) }
        : { path: name, namespace: 'lazy' },
    )
    build.onLoad({ filter: /.*/, namespace: 'lazy' }, ({ path: name }) => ({
      contents: `const load = () => require('${name}'); ${lazy[name]?.exports}`,
      resolveDir: root,
    }))
  },
}

/**
 * For Node: a few files, as opening hundreds of modules takes longer than running them. They are not minified, so that
 * stack traces have the names and lines of code that can be read, without source maps.
 */
const forNode: Options = {
  ...common,
  entry: entries,
  splitting: true,
  clean: true,
  // Keeps names and lines, and makes the package 1 % smaller.
  esbuildOptions(options) {
    options.minifySyntax = true
  },
  esbuildPlugins: [loadLazily, minifyLibraries],
  dts: {
    // Declarations include the types of valibot that core exports.
    resolve: ['valibot'],
    compilerOptions: { composite: false, ignoreDeprecations: '6.0' },
  },
  async onSuccess() {
    writeFileSync(path.join(root, 'dist/THIRD-PARTY.txt'), licenses())
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

export default defineConfig([forNode, forBundlers])
