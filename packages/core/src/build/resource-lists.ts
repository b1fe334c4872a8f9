import { readdirSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Method, Operation } from '../operation/operation.ts'
import type { ResourceDescriptor } from '../operation/resource.ts'
import { inOrderOfNames, resources } from '../resources/all-resources.ts'
import * as descriptors from '../resources/index.ts'
import { referenceOnlyKinds } from '../resources/reference-only-kinds.ts'
import type { PolicyKind } from '../rules/policy/policy-kind.ts'
import type { StoredCollection } from '../storage/collection.ts'

/** A generated file: its path, relative to `src/`, and its text. */
export interface GeneratedFile {
  readonly path: string
  readonly text: string
}

/** The source folder of the core package. */
export const sourceFolder = path.resolve(import.meta.dirname, '..')

const resourcesFolder = path.join(sourceFolder, 'resources')
const modelsFolder = path.join(sourceFolder, 'models')

const header = '// Generated from the descriptors of the resources: npm run generate\n'

/**
 * Makes the lists that engines of selected operations import. They are generated because a bundler cannot leave out
 * unused operations when a list is computed from the descriptors.
 *
 * @returns the named export of each operation, the list of all operations, the two lists of collections, and the kinds
 *   and actions of policies.
 */
export async function resourceLists(): Promise<readonly GeneratedFile[]> {
  const sources = await exportsOfResources()
  return [
    { path: 'generated/selectable-operations.ts', text: operationsText(sources) },
    { path: 'generated/selectable-resources.ts', text: descriptorsText() },
    { path: 'generated/listed-operations.ts', text: listedOperationsText(sources) },
    { path: 'resources/generated/stored-collections.ts', text: collectionsText(sources, storedText, collections) },
    { path: 'resources/generated/described-collections.ts', text: collectionsText(sources, describedText, described) },
    { path: 'vocabulary/policy-kinds.ts', text: policyKindsText() },
  ]
}

/** The source of a value: file, exported name, and expression for the value. */
interface Source {
  readonly file: string
  readonly name: string
  readonly expression: string
}

/**
 * Returns the source of each operation and collection that a file of a resource or a model exports, by itself or as a
 * property of an exported object.
 */
async function exportsOfResources(): Promise<ReadonlyMap<unknown, Source>> {
  const sources = new Map<unknown, Source>()
  const files = [...filesIn(resourcesFolder), ...filesIn(modelsFolder)]
    .map((file) => path.relative(resourcesFolder, file).replaceAll(path.sep, '/'))
    .filter((file) => !/^[^/]+$|\.test\.ts$|\/test\/|\/(index|operations)\.ts$|^generated\//.test(file))
    .sort()
  for (const file of files) {
    const exported: Readonly<Record<string, unknown>> = await import(
      pathToFileURL(path.join(resourcesFolder, file)).href
    )
    for (const [name, value] of Object.entries(exported)) {
      if (typeof value !== 'object' || value === null) continue
      if (!sources.has(value)) sources.set(value, { file, name, expression: name })
      if (isListed(value)) continue
      for (const [property, part] of Object.entries(value)) {
        if (isListed(part) && !sources.has(part)) sources.set(part, { file, name, expression: `${name}.${property}` })
      }
    }
  }
  return sources
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.join(folder, file))
}

const methodOrder: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Every operation in the order of the reference pages: by resource, then by length and text of the path, then by
 * method.
 */
const operations = resources.flatMap(({ operations }) =>
  [...operations].sort(
    (a, b) =>
      levelsOf(a) - levelsOf(b) ||
      compareTexts(a.path, b.path) ||
      methodOrder.indexOf(a.method) - methodOrder.indexOf(b.method),
  ),
)

function levelsOf({ path }: Operation): number {
  return path.split('/').length
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

const collections: readonly StoredCollection[] = resources.flatMap(({ collections = [] }) => collections)

const described = collections.filter(({ attributes }) => attributes)

const listedValues = new Set<unknown>([...operations, ...collections])

const isListed = (value: unknown) => listedValues.has(value)

function sourceOf(sources: ReadonlyMap<unknown, Source>, value: object, title: string): Source {
  const source = sources.get(value)
  if (!source) throw new Error(`${title} is in a descriptor, but no file in resources/ or models/ exports it`)
  return source
}

function operationsText(sources: ReadonlyMap<unknown, Source>): string {
  const lines = operations
    .map((operation) => ({ ...operation, ...sourceOf(sources, operation, `the operation ${operation.id}`) }))
    .map(({ id, method, path, summary, file, name }) => {
      if (name !== id) throw new Error(`${file} exports the operation ${id} as ${name}; the name must be the id`)
      const from = `from '../resources/${file}'`
      if (method === 'GET') return { import: '', description: '', line: `export { ${id} } ${from}` }
      return {
        description: `/** ${summary} (\`${method} ${path}\`). */\n`,
        import: `import { ${id} as ${definitionName(id)} } ${from}\n`,
        line: `export const ${id}: typeof ${definitionName(id)} = /* @__PURE__ */ writingOperation(${definitionName(id)})`,
      }
    })
  const imports = lines.map((line) => line.import).sort()
  return `${header}
${imports.join('')}import { writingOperation } from '../engine/writing.ts'

// Every operation by its id, for engines of selected operations: bundlers leave out the others.
${lines
  .sort((a, b) => compareTexts(a.line, b.line))
  .map(({ description, line }) => `${description}${line}`)
  .join('\n')}
`
}

/**
 * Returns the name under which the generated code imports the definition of an operation. The name without `define` is
 * the id, under which the operation is exported for engines.
 */
function definitionName(id: string): string {
  return `define${id.charAt(0).toUpperCase()}${id.slice(1)}`
}

function descriptorsText(): string {
  const entries = inOrderOfNames<ResourceDescriptor>(descriptors)
  const writes = ({ operations }: ResourceDescriptor) => operations.some(({ method }) => method !== 'GET')
  const lines = entries.map(([name, descriptor]) =>
    writes(descriptor)
      ? `/** ${descriptor.title}: ${descriptor.description} */\nexport const ${name}: typeof descriptors.${name} = /* @__PURE__ */ writingResource(descriptors.${name})\n`
      : `export { ${name} } from '../resources/index.ts'\n`,
  )
  return `${header}
import type { ResourceDescriptor } from '../operation/resource.ts'
import { resources as allResources } from '../resources/all-resources.ts'
import * as descriptors from '../resources/index.ts'
import { writingResource } from '../engine/writing.ts'

// The descriptors of all resources, each by itself: bundlers leave out the others.
${lines.join('')}
/** The descriptors of all resources, in the order of the reference pages. */
export const resources: readonly ResourceDescriptor[] = /* @__PURE__ */ allResources.map(writingResource)
`
}

function listedOperationsText(sources: ReadonlyMap<unknown, Source>): string {
  const folderOf = (operation: Operation) =>
    sourceOf(sources, operation, `the operation ${operation.id}`).file.split('/')[0] as string
  const importName = (folder: string) =>
    `import${folder.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}`
  const folders = [...new Set(operations.map(folderOf))].sort()
  const lines = operations.map((operation) => {
    const { id, summary, method, path, beta, freeParams, errors, access } = operation
    const listed = { id, summary, method, path, beta, freeParams, errors, access }
    const create = method === 'GET' ? 'listedOperation' : 'listedWrite'
    return `  ${create}(${sourceText(listed)}, ${importName(folderOf(operation))}),\n`
  })
  return `${header}
import { type ListedOperation, listedOperation } from '../operation/listed-operation.ts'
import type { Operation } from '../operation/operation.ts'
import type { MakeWriting } from '../pipeline/writing.ts'
import type { OperationOfEngine } from '../resources/all-resources.ts'

${folders.map((folder) => `const ${importName(folder)} = () => import('../resources/${folder}/operations.ts')\n`).join('')}
const makeWriting: MakeWriting = async (...input) => {
  const writing = await import('../engine/writing.ts')
  return writing.makeWriting(...input)
}

function listedWrite(listed: ListedOperation, importDefinition: () => Promise<unknown>): Operation {
  return Object.assign(listedOperation(listed, importDefinition), { makeWriting })
}

const listed: readonly Operation[] = [
${lines.join('')}]

/** Every operation, in the order of the reference pages. The first call of an operation imports its definition. */
// Cast: each listed operation has the id and the call types of its definition.
export const operations = listed as readonly OperationOfEngine[]
`
}

/** Returns JSON-like data as source text, without quotes around property names and without undefined properties. */
function sourceText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sourceText).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
    return `{ ${entries.map(([name, inner]) => `${name}: ${sourceText(inner)}`).join(', ')} }`
  }
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new Error(`${typeof value}: must not be part of the list of operations`)
}

const storedText = `/** Every collection of documents, for back-ups: they need its secrets and the rows for its lists. */
export const storedCollections: readonly StoredCollection[] = [`

const describedText = `/**
 * The collections whose documents have attributes for policies: tags, properties, views. Every engine needs all of
 * them, because policies can name resources that the engine has no operation for.
 */
export const describedCollections: readonly StoredCollection[] = [`

function collectionsText(
  sourcesByValue: ReadonlyMap<unknown, Source>,
  declaration: string,
  included: readonly StoredCollection[],
): string {
  const sources = included.map((collection) =>
    sourceOf(sourcesByValue, collection, `the collection ${collection.name}`),
  )
  const names = new Map<string, Set<string>>()
  for (const { file, name } of sources) names.set(file, (names.get(file) ?? new Set()).add(name))
  const imports = [...names]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, imported]) => `import { ${[...imported].sort().join(', ')} } from '../${file}'\n`)
  const lines = sources.map(({ expression }) => `  ${expression},\n`)
  return `${header}
import type { StoredCollection } from '../../storage/collection.ts'
${imports.join('')}
${declaration}
${lines.join('')}]
`
}

/**
 * Returns two lists: the kinds of all descriptors, and the kinds that only the reference API has. Entries of the same
 * shape are merged.
 */
function policyKinds(): PolicyKind[] {
  const kinds = new Map<string, PolicyKind>()
  const declared = resources.flatMap(({ kinds = [] }) => kinds)
  for (const kind of [...declared, ...referenceOnlyKinds]) {
    const existing = kinds.get(kind.shape)
    const noun = collections.find(({ address }) => address.kinds.join(':') === kind.shape)?.noun
    kinds.set(kind.shape, { noun, ...kind, ...existing, actions: [...(existing?.actions ?? []), ...kind.actions] })
  }
  return [...kinds.values()].sort(byDepth)
}

/** Compares kinds by the number of levels of their address, then by shape. */
function byDepth({ shape: a }: PolicyKind, { shape: b }: PolicyKind): number {
  const depth = (shape: string) => shape.split(':').length
  return depth(a) - depth(b) || (a < b ? -1 : 1)
}

const quoted = (texts: readonly string[]) => texts.map((text) => `'${text}'`).join(', ')

function policyKindsText(): string {
  const kinds = policyKinds()
  const lines = kinds.map(({ shape, noun, accountLevel, secretActions, adminActions, actions }) => {
    const kind = lastKind(shape)
    const properties = [
      `shape: '${shape}'`,
      ...(noun && noun !== kind.replaceAll('-', ' ') ? [`noun: '${noun}'`] : []),
      ...(accountLevel ? ['accountLevel: true'] : []),
      ...(secretActions ? [`secretActions: [${quoted(secretActions)}]`] : []),
      ...(adminActions ? [`adminActions: [${quoted(adminActions)}]`] : []),
      `actions: [${quoted(actions)}]`,
    ]
    return `  { ${properties.join(', ')} },\n`
  })
  const byKind = new Map<string, Set<string>>()
  for (const { shape, actions } of kinds) {
    const kind = lastKind(shape)
    byKind.set(kind, new Set([...(byKind.get(kind) ?? []), ...actions]))
  }
  const types = [...byKind].map(
    ([kind, actions]) =>
      `  ${/-/.test(kind) ? `'${kind}'` : kind}: ${[...actions].map((action) => `'${action}'`).join(' | ')}\n`,
  )
  return `${header}
/** Every kind of resource that policies can name, with its actions. */
export const policyKinds = [
${lines.join('')}] as const

/** The actions of each kind. */
export interface ActionsByKind {
${types.join('')}}

/** An action that policies decide about, e.g. \`viewTeam\`. */
export type Action = ActionsByKind[keyof ActionsByKind]
`
}

function lastKind(shape: string): string {
  return shape.slice(shape.lastIndexOf(':') + 1)
}
