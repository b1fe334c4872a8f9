import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { divideSource, type ReadableText } from './readable-source.ts'
import { root } from './root.ts'

export { root }

export interface SourceFile {
  /** Path from the root of the repository, with `/`. */
  readonly file: string
  /** Text without comments and string contents, so that rules about code do not match prose. */
  readonly code: string
  readonly imports: readonly SourceImport[]
  /** Names, messages, test titles and comments. */
  readonly texts: readonly ReadableText[]
}

export interface SourceImport {
  /** The specifier as the source has it: `./x.ts`, `valibot`, `node:fs`. */
  readonly specifier: string
  /** Imported file of this repository, from the root; undefined for packages. */
  readonly target: string | undefined
  readonly typeOnly: boolean
}

/** Returns all TypeScript sources under a folder of the repository, including tests. */
export function sourcesUnder(folder: string): SourceFile[] {
  const entries = readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('node_modules'))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .filter((file) => !/(^|\/)dist\//.test(file))
    .sort()
    .map(readSource)
}

export function isTest(file: string): boolean {
  return /\.test\.ts$|^test\/|\/test\//.test(file)
}

const parsed = new Map<string, { readonly text: string; readonly source: SourceFile }>()

/**
 * Reads and parses a file of the repository. Test files that run in one worker parse it once.
 *
 * @param file path from the root, with `/`.
 */
export function readSource(file: string): SourceFile {
  const text = readFileSync(path.join(root, file), 'utf8')
  const cached = parsed.get(file)
  if (cached?.text === text) return cached.source
  const source = parseSource(file, text)
  parsed.set(file, { text, source })
  return source
}

function parseSource(file: string, text: string): SourceFile {
  // Without comments, parsing takes half of the time.
  const options = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone }
  const source = ts.createSourceFile(file, text, options, true)
  const imports: SourceImport[] = []
  const visit = (node: ts.Node): void => {
    const imported = importOf(node)
    if (imported) imports.push({ ...imported, target: targetOf(file, imported.specifier) })
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { file, imports, ...divideSource(source) }
}

function importOf(node: ts.Node): { specifier: string; typeOnly: boolean } | undefined {
  if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
    return { specifier: (node.moduleSpecifier as ts.StringLiteral).text, typeOnly: isTypeOnly(node) }
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [specifier] = node.arguments
    if (specifier && ts.isStringLiteral(specifier)) return { specifier: specifier.text, typeOnly: false }
  }
  return undefined
}

function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly
  const clause = node.importClause
  if (!clause) return false
  if (clause.isTypeOnly) return true
  const bindings = clause.namedBindings
  if (clause.name || !bindings || !ts.isNamedImports(bindings)) return false
  return bindings.elements.every((element) => element.isTypeOnly)
}

/** Resolves an import to a file of this repository; returns undefined for external packages. */
export function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(file), specifier)
  const [, name, entry] = /^@halyard\/([a-z-]+)(?:\/([a-z-]+))?$/.exec(specifier) ?? []
  if (!name) return undefined
  return entry ? sourceOfEntry(name, `./${entry}`) : `packages/${name}/src/index.ts`
}

/**
 * The source of an entry point of a package, e.g. `./policy` of `core`; undefined when the package does not have it.
 */
function sourceOfEntry(name: string, entry: string): string | undefined {
  const manifest = JSON.parse(readFileSync(path.join(root, 'packages', name, 'package.json'), 'utf8'))
  const source: string | undefined = manifest.exports[entry]?.['@halyard/source']
  return source && path.posix.join('packages', name, source)
}
