import path from 'node:path'
import ts from 'typescript'

/** One change of a file's text: what stands from `start` to `end` becomes `text`. */
interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The functions that make operations of object literals: properties of the literal are made when they are first read. */
const operationMakers = new Set([
  'operation',
  'typedOperation',
  'getOperation',
  'listOperation',
  'createOperation',
  'updateOperation',
  'patchOperation',
  'deleteOperation',
])

/** The properties of a definition that hold schemas. */
const schemaProperties = new Set(['query', 'body', 'success', 'response', 'settings'])

/**
 * Rewrites the sources of core so that schemas are made when they are first asked for, and not when core is imported.
 *
 * A constant that is made of schemas becomes a function that makes it once, and its uses become calls. The properties of
 * a definition that hold schemas become getters that replace themselves by their value. No line moves, so that
 * positions in the sources stay true.
 *
 * @param entry the file whose exports keep being values: what it exports is known to others.
 * @param files every file that is rewritten, absolute.
 * @returns the new text of each file that has something to change, by its path.
 */
export function schemasOnDemand(entry: string, files: readonly string[]): ReadonlyMap<string, string> {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: [],
  }
  const program = ts.createProgram([...files], options)
  const checker = program.getTypeChecker()
  const sources = files.map((file) => program.getSourceFile(file) as ts.SourceFile)
  const constants = schemaConstants(
    checker,
    sources,
    exportedBy(checker, program.getSourceFile(entry) as ts.SourceFile),
  )
  const texts = new Map<string, string>()
  for (const source of sources) {
    const edits = editsOf(checker, source, constants)
    if (edits.length > 0) texts.set(path.normalize(source.fileName), edited(source.text, edits))
  }
  return texts
}

type Constants = ReadonlySet<ts.Node>

function exportedBy(checker: ts.TypeChecker, entry: ts.SourceFile): ReadonlySet<ts.Symbol> {
  const module = checker.getSymbolAtLocation(entry) as ts.Symbol
  return new Set(checker.getExportsOfModule(module).map((symbol) => original(checker, symbol)))
}

function original(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

/** The constants of files that are made of schemas, or of constants that are. */
function schemaConstants(
  checker: ts.TypeChecker,
  sources: readonly ts.SourceFile[],
  exported: ReadonlySet<ts.Symbol>,
): Constants {
  const found = new Set<ts.Node>()
  const isExported = ([name]: readonly [ts.Identifier, string]) =>
    exported.has(checker.getSymbolAtLocation(name) as ts.Symbol)
  const candidates = sources
    .flatMap(constantsOf)
    .filter((declaration) => !makesOperation(declaration.initializer) && !namesOf(declaration)?.some(isExported))
  const makers = new Set(sources.flatMap(schemaMakers))
  const isSchema = (node: ts.Node) =>
    isSchemaCall(node) ||
    (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && isOneOf(makers, checker, node.expression)) ||
    (ts.isIdentifier(node) && names(node) && isOneOf(found, checker, node))
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const declaration of candidates) {
      if (!found.has(declaration) && evaluates(declaration.initializer as ts.Expression, isSchema))
        found.add(declaration)
    }
  }
  return found
}

function constantsOf(source: ts.SourceFile): ts.VariableDeclaration[] {
  return source.statements.flatMap((statement) => {
    if (!ts.isVariableStatement(statement) || !(statement.declarationList.flags & ts.NodeFlags.Const)) return []
    const [declaration, ...others] = statement.declarationList.declarations
    return declaration?.initializer && others.length === 0 && namesOf(declaration) ? [declaration] : []
  })
}

/** The names that a constant gives: its own, or those of members of what it comes to; undefined for other patterns. */
function namesOf({
  name,
}: ts.VariableDeclaration): readonly (readonly [name: ts.Identifier, member: string])[] | undefined {
  if (ts.isIdentifier(name)) return [[name, '']]
  if (!ts.isObjectBindingPattern(name)) return undefined
  const members = name.elements.map(({ name: inner, propertyName, dotDotDotToken, initializer }) =>
    ts.isIdentifier(inner) && !dotDotDotToken && !initializer && (!propertyName || ts.isIdentifier(propertyName))
      ? ([inner, `.${(propertyName ?? inner).text}`] as const)
      : undefined,
  )
  return members.every((member) => member !== undefined) ? members : undefined
}

/** The functions of a file that make schemas themselves. */
function schemaMakers(source: ts.SourceFile): ts.Node[] {
  return source.statements.flatMap((statement): ts.Node[] => {
    if (ts.isFunctionDeclaration(statement)) return holdsSchemaCall(statement) ? [statement] : []
    if (!ts.isVariableStatement(statement)) return []
    return statement.declarationList.declarations.filter(
      ({ initializer }) => initializer && ts.isArrowFunction(initializer) && holdsSchemaCall(initializer),
    )
  })
}

function holdsSchemaCall(node: ts.Node): boolean {
  return isSchemaCall(node) || (ts.forEachChild(node, (child) => holdsSchemaCall(child) || undefined) ?? false)
}

/** Whether what an expression comes to stands on a node for which `is` holds; functions in it are not called by that. */
function evaluates(node: ts.Node, is: (node: ts.Node) => boolean): boolean {
  if (ts.isFunctionLike(node) || ts.isTypeNode(node)) return false
  return is(node) || (ts.forEachChild(node, (child) => evaluates(child, is) || undefined) ?? false)
}

function isSchemaCall(node: ts.Node): boolean {
  return (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    ts.isIdentifier(node.expression.expression) &&
    node.expression.expression.text === 'v'
  )
}

function makesOperation(node: ts.Node | undefined): node is ts.CallExpression {
  return (
    node !== undefined &&
    ts.isCallExpression(node) &&
    ts.isIdentifier(node.expression) &&
    operationMakers.has(node.expression.text)
  )
}

/** What begins a function: its text up to the name, and the member of the made value that it returns, or nothing. */
interface Head {
  readonly name: string
  readonly text: string
  readonly member: string
}

function editsOf(checker: ts.TypeChecker, source: ts.SourceFile, constants: Constants): Edit[] {
  const edits: Edit[] = []
  let kept = 0
  const insert = (at: number, text: string) => edits.push({ start: at, end: at, text })
  /** Makes functions of an expression, whose value is made once: their heads are put in place of what stands before it. */
  const putOff = (start: number, heads: readonly Head[], expression: ts.Expression, statement: ts.Node): void => {
    const [first, ...others] = heads as readonly [Head, ...Head[]]
    const from = expression.getStart(source)
    const made = `made$${++kept}`
    const breaks = lineBreaks(source.text.slice(start, from))
    insert(statement.getStart(source), `var ${made}; `)
    edits.push({ start, end: from, text: `${first.text}() { return (${made} ??= (${breaks}` })
    visit(expression)
    // Whichever is asked first makes the whole.
    const rest = others.map(({ text, member }) => ` ${text}() { return ${first.name}(), ${made}${member} }`)
    insert(expression.end, `))${first.member} }${rest.join('')}`)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isVariableDeclaration(node) && constants.has(node)) {
      const statement = node.parent.parent as ts.VariableStatement
      const before = statement.modifiers?.length ? 'export ' : ''
      const heads = (namesOf(node) ?? []).map(([{ text: name }, member], at) => ({
        name,
        member,
        text: `${at > 0 ? before : ''}function ${name}`,
      }))
      putOff(node.parent.getStart(source), heads, node.initializer as ts.Expression, statement)
    } else if (ts.isPropertyAssignment(node) && isSchemaProperty(node)) {
      const { text: name } = node.name
      putOff(node.getStart(source), [{ name, member: '', text: `get ${name}` }], node.initializer, statementOf(node))
    } else if (ts.isIdentifier(node) && names(node) && isOneOf(constants, checker, node)) {
      insert(node.end, ts.isShorthandPropertyAssignment(node.parent) ? `: ${node.text}()` : '()')
    } else ts.forEachChild(node, visit)
  }
  visit(source)
  return edits
}

function statementOf(node: ts.Node): ts.Node {
  return ts.isStatement(node) ? node : statementOf(node.parent)
}

function isOneOf(constants: Constants, checker: ts.TypeChecker, name: ts.Identifier): boolean {
  const symbol = ts.isShorthandPropertyAssignment(name.parent)
    ? checker.getShorthandAssignmentValueSymbol(name.parent)
    : checker.getSymbolAtLocation(name)
  const declaration = symbol && original(checker, symbol).valueDeclaration
  if (!declaration) return false
  return constants.has(ts.isBindingElement(declaration) ? declaration.parent.parent : declaration)
}

/** Whether a property of an object literal holds a schema of an operation. */
function isSchemaProperty(
  node: ts.PropertyAssignment,
): node is ts.PropertyAssignment & { readonly name: ts.Identifier } {
  const { parent } = node.parent
  return (
    ts.isIdentifier(node.name) &&
    schemaProperties.has(node.name.text) &&
    makesOperation(ts.isAsExpression(parent) ? parent.parent : parent)
  )
}

/** Whether an identifier stands for a value, and does not declare one or name a member. */
function names(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isBindingElement(parent)) return parent.initializer === node
  if (ts.isShorthandPropertyAssignment(parent)) return true
  return (parent as ts.Node & { readonly name?: ts.Node }).name !== node
}

/** The line breaks in a text. */
function lineBreaks(text: string): string {
  return text.replace(/[^\n]/g, '')
}

function edited(text: string, edits: readonly Edit[]): string {
  let at = 0
  let result = ''
  for (const { start, end, text: replacement } of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(at, start) + replacement
    at = end
  }
  return result + text.slice(at)
}
