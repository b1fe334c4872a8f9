// Writes the code of the package: few files, as opening hundreds of modules takes longer than running them.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'acorn'
import { transform } from 'esbuild'
import { rollup } from 'rollup'
import { groupModules } from './group-modules.mjs'

const root = import.meta.dirname
const source = path.join(root, 'src')
const engineEntry = path.join(source, 'index.ts')

/** The entry points of topics, which a program can import without the engine. */
const topics = readdirSync(path.join(source, 'entries')).filter((file) => file !== 'operations.ts')

/** The libraries that few calls need: their first use runs them, not the import of core. */
const lazy = {
  re2js: {
    file: 're2js/build/index.cjs',
    exports: 'export const RE2JS = { compile: (source) => load().RE2JS.compile(source) }',
  },
  immer: {
    file: 'immer/dist/cjs/immer.cjs.production.js',
    exports: 'export const produce = (...args) => load().produce(...args); export const castDraft = (value) => value',
  },
  mustache: { file: 'mustache/mustache.js', exports: 'export default { get Writer() { return load().Writer } }' },
}

/** @type {import('rollup').Plugin} */
const libraries = {
  name: 'libraries',
  resolveId(name) {
    if (name in lazy) return `\0${name}`
    if (name === 'lru-cache') return path.join(root, 'node_modules/lru-cache/dist/esm/browser/index.js')
    return name.startsWith('.') || path.isAbsolute(name) ? null : fileURLToPath(import.meta.resolve(name))
  },
  async load(id) {
    const { file, exports } = lazy[id.slice(1)] ?? {}
    if (!file) return null
    const { code } = await minified(readFileSync(path.join(root, 'node_modules', file), 'utf8'))
    return `let loaded
function load() {
  if (!loaded) {
    const module = { exports: (loaded = {}) }
    run(module, module.exports)
    loaded = module.exports
  }
  return loaded
}
function run(module, exports) {
${code}}
${exports}`
  },
}

// `performance`: lru-cache looks for a clock that core does not use; Node would load a module for it.
const define = { performance: 'undefined', 'process.env.NODE_ENV': '"production"' }

async function minified(text) {
  const { code } = await transform(text, { minify: true, legalComments: 'none', define })
  return { code, map: null }
}

/** Removes types. The code is not minified, so that stack traces have names and lines that can be read. */
const typescript = {
  name: 'typescript',
  async transform(code, id) {
    if (id.includes('node_modules')) return minified(code)
    if (!id.endsWith('.ts')) return null
    const result = await transform(code, { loader: 'ts', target: 'es2022', minifySyntax: true, define })
    return { code: withoutComments(result.code), map: null }
  },
}

/**
 * Removes the comments of code, which the compiler leaves in classes and objects, with the lines that contain nothing
 * else. The declarations have the docstrings. Bundlers need the comments which say that a call has no effect.
 */
function withoutComments(code) {
  const comments = []
  parse(code, { ecmaVersion: 'latest', sourceType: 'module', onComment: comments })
  return comments
    .filter(({ value }) => !/[@#]__[A-Z_]+__/.test(value))
    .reduceRight((text, { start, end }) => {
      const line = text.lastIndexOf('\n', start) + 1
      const isWholeLine = text.slice(line, start).trim() === '' && text[end] === '\n'
      return isWholeLine ? text.slice(0, line) + text.slice(end + 1) : text.slice(0, start) + text.slice(end)
    }, code)
}

/** The modules that import others by a call. */
const importsLater = new Set(
  ['index.ts', 'whole-engine.ts', 'generated/listed-operations.ts'].map((file) => path.join(source, file)),
)

/**
 * Returns the function that chooses the file of a module. There are files for: modules that a topic needs, by the
 * topics that need them; modules that `createEngine` needs at its import; and modules that are imported on demand,
 * which `groupModules` divides. RE2 has a file of its own, with the one module that tests clauses with it: only
 * evaluations and changes of rules need it.
 */
function fileNames() {
  let closures
  let onDemand
  return (id, { getModuleIds, getModuleInfo }) => {
    closures ??= {
      topics: topics.map((file) => closureOf(path.join(source, 'entries', file), getModuleInfo)),
      start: closureOf(engineEntry, getModuleInfo),
      sha256: closureOf(path.join(source, 'rules/sha256.ts'), getModuleInfo),
      re2: closureOf(path.join(source, 'rules/evaluation/re2-pattern.ts'), getModuleInfo),
      unmatchable: path.join(source, 'rules/evaluation/unmatchable-clause.ts'),
    }
    const fixedFile = (id) => {
      // A bundle without chunks contains dynamically imported files as a whole, and everything that these files import.
      if (importsLater.has(id)) return 'whole-engine'
      if (closures.sha256.has(id)) return 'sha256'
      if (closures.re2.has(id) || id === closures.unmatchable) return 're2'
      const users = topics.filter((_, index) => closures.topics[index].has(id))
      if (users.length > 0) return `for-${users.map((file) => path.parse(file).name).join('-')}`
      return closures.start.has(id) ? 'engine' : undefined
    }
    // A file with an entry point would import all that the entry point exports.
    if (path.dirname(id) === path.join(source, 'entries')) return undefined
    onDemand ??= filesOnDemand([...getModuleIds()].sort(), getModuleInfo, (module) => fixedFile(module) === undefined)
    return fixedFile(id) ?? onDemand.get(id)
  }
}

/** Returns the file of each module that is imported on demand. */
function filesOnDemand(ids, getModuleInfo, isOnDemand) {
  const entries = ids.filter((id) => getModuleInfo(id).dynamicImporters.length > 0 && isOnDemand(id))
  const groups = groupModules({
    entries: new Map(entries.map((id) => [id, [...closureOf(id, getModuleInfo)].filter(isOnDemand)])),
    importsOf: (id) => getModuleInfo(id).importedIds,
    sizeOf: (id) => getModuleInfo(id).code.length,
  })
  return new Map(groups.flatMap((group, index) => [...group.ids].map((id) => [id, fileOf(group, index)])))
}

/** Returns the name of a file: the name of its resource, or a number when several entries need the file. */
function fileOf({ entries }, index) {
  if (entries.size > 1) return `shared-${index + 1}`
  const [entry] = entries
  const { dir, name } = path.parse(entry)
  return name === 'operations' ? path.basename(dir) : name
}

/** Returns the modules that a module imports statically, directly or not, with itself. */
function closureOf(entry, getModuleInfo) {
  const found = new Set()
  const pending = [entry]
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (found.has(id)) continue
    found.add(id)
    pending.push(...getModuleInfo(id).importedIds)
  }
  return found
}

/**
 * Marks each initializer at the top of a file as a call without side effects, so that bundlers can remove values that
 * the program does not use. A bundler cannot know by itself that a call which creates a schema has no other effect.
 *
 * @type {import('rollup').Plugin}
 */
const pureInitializers = {
  name: 'pure-initializers',
  renderChunk(code) {
    const declarations = this.parse(code).body.flatMap((statement) => {
      const declaration = statement.declaration ?? statement
      return declaration.type === 'VariableDeclaration' ? declaration.declarations : []
    })
    let marked = ''
    let end = 0
    for (const declaration of declarations.filter(needsMark)) {
      marked +=
        code.slice(end, declaration.start) + pureDeclaration(declaration, (node) => code.slice(node.start, node.end))
      end = declaration.end
    }
    return { code: marked + code.slice(end), map: null }
  },
}

/**
 * Indents by tabs, which makes the package 60 kB smaller. Lines within a template are parts of a text and stay as they
 * are.
 *
 * @type {import('rollup').Plugin}
 */
const tabs = {
  name: 'tabs',
  renderChunk(code) {
    const templates = templatesIn(this.parse(code))
    const isText = (offset) => templates.some(({ start, end }) => start <= offset && offset < end)
    const tabbed = code.replaceAll(/^(?: {2})+/gm, (indent, offset) =>
      isText(offset) ? indent : '\t'.repeat(indent.length / 2),
    )
    return { code: tabbed, map: null }
  },
}

/** Returns the texts of templates in a syntax tree that continue on another line. */
function templatesIn(node) {
  if (node === null || typeof node !== 'object') return []
  if (node.type === 'TemplateElement') return node.value.raw.includes('\n') ? [node] : []
  return Object.values(node).flatMap(templatesIn)
}

function needsMark({ id, init }) {
  return init && (id.type === 'ObjectPattern' || !isPure(init))
}

/**
 * Returns a declaration whose initializer is marked. A declaration of several names becomes one declaration for each
 * name.
 */
function pureDeclaration({ id, init }, textOf) {
  const pure = (name, value) => `${name} = /* @__PURE__ */ (() => (${value}))()`
  if (id.type === 'Identifier') return pure(id.name, textOf(init))
  const names = id.properties.map(({ value, argument }) => textOf(value ?? argument))
  const whole = `all_of_${names.join('_')}`
  return [pure(whole, textOf(init)), ...names.map((name) => pure(name, `((${textOf(id)}) => ${name})(${whole})`))].join(
    ', ',
  )
}

/** Returns true for an expression that bundlers know to have no effect. */
function isPure({ type, elements, properties }) {
  if (type === 'ArrayExpression') return elements.every((element) => element && isPure(element))
  if (type !== 'ObjectExpression') return /^(Literal|Identifier|(ArrowFunction|Function)Expression)$/.test(type)
  return properties.every((property) => property.type === 'Property' && !property.computed && isPure(property.value))
}

const entries = readdirSync(path.join(source, 'entries')).map((file) => [
  `entries/${path.parse(file).name}`,
  path.join(source, 'entries', file),
])
rmSync(path.join(root, 'dist'), { recursive: true, force: true })
const bundle = await rollup({
  input: { index: engineEntry, ...Object.fromEntries(entries) },
  plugins: [libraries, typescript, pureInitializers, tabs],
  treeshake: { moduleSideEffects: false, propertyReadSideEffects: false },
  onwarn(warning) {
    throw new Error(warning.message)
  },
})
const { output } = await bundle.write({
  dir: path.join(root, 'dist'),
  format: 'es',
  entryFileNames: '[name].js',
  chunkFileNames: 'files/[name].js',
  manualChunks: fileNames(),
  minifyInternalExports: false,
  hoistTransitiveImports: false,
})
const atFirst = importedAtFirst('index.js')
if (atFirst.has('files/re2.js')) throw new Error('the import of core imports RE2, which only evaluations need')
writeFileSync(path.join(root, 'dist/THIRD-PARTY.txt'), licenses())

/** Returns the names of the files that a file imports statically, directly or not. */
function importedAtFirst(name, found = new Set()) {
  for (const imported of output.find(({ fileName }) => fileName === name).imports) {
    if (!found.has(imported)) importedAtFirst(imported, found.add(imported))
  }
  return found
}

/** Returns the licenses of the bundled libraries. They are development dependencies: core depends on no package. */
function licenses() {
  const texts = ['@noble/hashes', 'immer', 'lru-cache', 'mustache', 're2js', 'valibot'].map((name) => {
    const folder = path.join(root, 'node_modules', name)
    const file = readdirSync(folder).find((candidate) => /^licen[cs]e/i.test(candidate))
    if (!file) throw new Error(`${name} has no license file`)
    return `${name}\n\n${readFileSync(path.join(folder, file), 'utf8')}`
  })
  return texts.join('\n\n')
}
