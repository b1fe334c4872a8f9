import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { root } from '../source-imports.ts'

const sources = path.join(root, 'packages/core/src')

/** Returns all files of core without tests, as paths from its `src`. */
function sourceFiles(): string[] {
  return readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|(^|\/)test\//.test(file))
}

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  customConditions: ['@halyard/source'],
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  types: [],
}

/**
 * Returns every property that a document of a collection can have, as `<interface>.<property>`: the properties of the
 * type with which the collection was declared, and of all types within it that core declares.
 */
export function storedProperties(): ReadonlySet<string> {
  const files = sourceFiles().map((file) => path.join(sources, file))
  const declaring = files.filter((file) => /\bdocuments<\w+>\(\)\(/.test(readFileSync(file, 'utf8')))
  const program = ts.createProgram(declaring, options)
  const checker = program.getTypeChecker()
  const readNames = new Set<string>()
  const seen = new Set<ts.Type>()
  for (const file of declaring) for (const type of documentTypes(program, file)) visit(type)
  return readNames

  function visit(declared: ts.Type): void {
    const type = checker.getNonNullableType(declared)
    if (seen.has(type)) return
    seen.add(type)
    if (type.isUnion()) for (const option of type.types) visit(option)
    if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return
    if (checker.isArrayType(type) || checker.isTupleType(type)) {
      // Cast: the two tests have no type predicate.
      for (const item of checker.getTypeArguments(type as ts.TypeReference)) visit(item)
      return
    }
    for (const { type: value } of checker.getIndexInfosOfType(type)) visit(value)
    for (const property of checker.getPropertiesOfType(type)) visitProperty(property)
  }

  function visitProperty(property: ts.Symbol): void {
    const declarations =
      property.declarations?.filter((node) => node.getSourceFile().fileName.startsWith(sources)) ?? []
    const names = declarations.map(nameOf).filter((name) => !name.startsWith('Versioned.'))
    for (const name of names) readNames.add(name)
    if (names.length > 0) visit(checker.getTypeOfSymbol(property))
  }
}

/** Returns the types with which a file declares collections. */
function documentTypes(program: ts.Program, file: string): ts.Type[] {
  const checker = program.getTypeChecker()
  const types: ts.Type[] = []
  const walk = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'documents' && node.typeArguments?.[0]) {
      types.push(checker.getTypeFromTypeNode(node.typeArguments[0]))
    }
    ts.forEachChild(node, walk)
  }
  walk(program.getSourceFile(file) as ts.SourceFile)
  return types
}

/**
 * Returns the name of a declared property, after the names of the types that contain it, e.g.
 * `Webhook.retiredSecret.until`.
 */
function nameOf(declaration: ts.Node): string {
  const names: string[] = []
  for (let node = declaration; !ts.isSourceFile(node); node = node.parent) {
    if (ts.isPropertySignature(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) {
      names.unshift(node.name.getText())
    }
  }
  return names.join('.')
}

/**
 * Returns the names that a file of core reads from objects: `.name`, `['name']`, `{ name }` in a pattern, and texts
 * that can be names of properties.
 *
 * @returns undefined when there is no such file.
 */
export function namesReadIn(file: string): ReadonlySet<string> | undefined {
  if (!allFiles.has(file)) return undefined
  const text = readFileSync(path.join(sources, file), 'utf8')
  const names = new Set<string>()
  const walk = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return
    if (ts.isPropertyAccessExpression(node)) names.add(node.name.text)
    if (ts.isBindingElement(node)) names.add((node.propertyName ?? node.name).getText())
    if (ts.isStringLiteral(node) && !ts.isImportDeclaration(node.parent)) names.add(node.text)
    ts.forEachChild(node, walk)
  }
  walk(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
  return names
}

const allFiles: ReadonlySet<string> = new Set(sourceFiles())
