import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig, type Options } from 'tsup'
import { schemasOnDemand } from './src/build/schemas-on-demand.ts'

const root = import.meta.dirname
const source = path.join(root, 'src')

/** Every file of the package that is no test: the modules from which bundlers take what an engine is made of. */
const modules = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter(
    (file) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$|(^|\/)(test|build)\//.test(file.replaceAll('\\', '/')),
  )
  .map((file) => `src/${file.replaceAll('\\', '/')}`)

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

const sources = modules.map((file) => path.join(root, file))

/** Importing the package makes no schema: each is made when an operation first needs it. */
const onDemand: Plugin = {
  name: 'schemas-on-demand',
  setup(build) {
    const texts = schemasOnDemand(path.join(source, 'index.ts'), sources)
    build.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      const contents = texts.get(file)
      return contents === undefined ? undefined : { contents, loader: 'ts' }
    })
  },
}

/** Packages that few calls need, the files of them that are taken along, and the functions that are used. */
const late: Readonly<Record<string, { readonly file: string; readonly exports: string }>> = {
  re2js: {
    file: 're2js/build/index.cjs',
    exports: 'export const RE2JS = { compile: (source) => load().RE2JS.compile(source) }',
  },
  immer: {
    file: 'immer/dist/cjs/immer.cjs.production.js',
    exports: 'export const produce = (...given) => load().produce(...given); export const castDraft = (value) => value',
  },
}

/** Their modules come along in the file of Node and are run by whoever calls them first, at once and without waiting. */
const whenCalled: Plugin = {
  name: 'when-called',
  setup(build) {
    build.onResolve({ filter: /^(re2js|immer)$/ }, ({ path: name, kind }) =>
      kind === 'require-call'
        ? { path: path.join(root, 'node_modules', (late[name] as { readonly file: string }).file) }
        : { path: name, namespace: 'late' },
    )
    build.onLoad({ filter: /.*/, namespace: 'late' }, ({ path: name }) => ({
      contents: `const load = () => require('${name}'); ${late[name]?.exports}`,
      resolveDir: root,
    }))
  },
}

/** Leaves every module a file of its own, so that each can be left out. */
const oneFileEach: Plugin = {
  name: 'one-file-each',
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, ({ path: specifier, importer, kind }) =>
      kind === 'entry-point' || !importer.startsWith(source)
        ? undefined
        : { path: specifier.replace(/\.ts$/, '.js'), external: true },
    )
    // Beside the modules and not imported by name: immer asks `process` for the mode, which edge runtimes do not have.
    build.onResolve({ filter: /^immer$/ }, ({ kind, importer }) => {
      if (kind === 'entry-point') return undefined
      const up = path.relative(path.dirname(importer), source).replaceAll('\\', '/') || '.'
      return { path: `${up}/immer.js`, external: true }
    })
  },
}

/** What Node imports: one file, as opening hundreds would take longer than running them. */
const bundle: Options = {
  entry: ['src/index.ts'],
  format: ['esm', 'cjs'],
  sourcemap: true,
  treeshake: true,
  // Node reads these in half the time when they come along, without what nobody uses of them.
  noExternal: ['valibot', 'lru-cache', 're2js', 'immer'],
  esbuildPlugins: [onDemand, whenCalled],
  // lru-cache looks for a clock, of which nothing here makes use; Node would load a module of its own for it.
  define: { performance: 'undefined' },
  minify: true,
  target: 'es2022',
  platform: 'neutral',
  tsconfig: '../../tsconfig.build.json',
  dts: { compilerOptions: { composite: false, ignoreDeprecations: '6.0' } },
  async onSuccess() {
    writeFileSync(path.join(root, 'dist/THIRD-PARTY.txt'), licences(['immer', 'lru-cache', 're2js', 'valibot']))
  },
}

/** What bundlers and other runtimes import. */
const tree: Options = {
  entry: {
    ...Object.fromEntries(modules.map((file) => [file.slice(4, -3), file])),
    immer: 'node_modules/immer/dist/immer.mjs',
  },
  outDir: 'dist/modules',
  clean: true,
  format: ['esm'],
  splitting: false,
  target: 'es2022',
  platform: 'neutral',
  tsconfig: '../../tsconfig.build.json',
  noExternal: ['immer'],
  define: { 'process.env.NODE_ENV': '"production"' },
  esbuildPlugins: [oneFileEach],
}

/** What comes along keeps its licence. */
function licences(names: readonly string[]): string {
  const texts = names.map((name) => {
    const folder = path.join(root, 'node_modules', name)
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
    if (!file) throw new Error(`${name} has no licence`)
    return `${name}\n\n${readFileSync(path.join(folder, file), 'utf8')}`
  })
  return texts.join('\n\n')
}

export default defineConfig([bundle, tree])
