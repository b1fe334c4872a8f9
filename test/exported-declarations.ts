import { readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { root } from './root.ts'
import { targetOf } from './source-imports.ts'

type DeclarationNode =
  | ts.FunctionDeclaration
  | ts.ClassDeclaration
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration
  | ts.VariableDeclaration

/** A declaration that a module exports, with the file that declares it. */
export interface ExportedDeclaration {
  readonly name: string
  /** Path from the root of the repository, with `/`. */
  readonly file: string
  readonly node: DeclarationNode
}

const parsedFiles = new Map<string, ReadonlyMap<string, ExportedDeclaration>>()

/** Returns everything that a module of this repository exports, by name, including re-exports of other modules. */
export function exportedDeclarations(file: string): ReadonlyMap<string, ExportedDeclaration> {
  const cached = parsedFiles.get(file)
  if (cached) return cached
  const text = readFileSync(path.join(root, file), 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const exported = new Map<string, ExportedDeclaration>()
  for (const [name, declaration] of source.statements.flatMap((statement) => [
    ...reExportsOf(file, statement),
    ...declarationsOf(file, statement),
  ])) {
    // The first of several overloads has the description.
    if (!exported.has(name)) exported.set(name, declaration)
  }
  parsedFiles.set(file, exported)
  return exported
}

type Entry = readonly [string, ExportedDeclaration]

function reExportsOf(file: string, statement: ts.Statement): Entry[] {
  if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier) return []
  const target = targetOf(file, (statement.moduleSpecifier as ts.StringLiteral).text)
  if (!target) return []
  const targetExports = exportedDeclarations(target)
  const { exportClause } = statement
  if (!exportClause) return [...targetExports]
  if (!ts.isNamedExports(exportClause)) return []
  return exportClause.elements.flatMap(({ name, propertyName }) => {
    const declaration = targetExports.get((propertyName ?? name).text)
    return declaration ? [[name.text, { ...declaration, name: name.text }] as const] : []
  })
}

function declarationsOf(file: string, statement: ts.Statement): Entry[] {
  if (!ts.canHaveModifiers(statement)) return []
  if (!ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return []
  const nodes = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations
    : [statement as DeclarationNode]
  return nodes.flatMap((node) => {
    const name = node.name && ts.isIdentifier(node.name) ? node.name.text : undefined
    return name ? [[name, { name, file, node }] as const] : []
  })
}

/** Returns true when a declaration or one of its properties has a docstring. */
export function isDocumented(node: ts.Node): boolean {
  return ts.getJSDocCommentsAndTags(node).length > 0
}
