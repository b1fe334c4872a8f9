import path from 'node:path'
import ts from 'typescript'
import { scanTokens } from './source-tokens.ts'

/** The kind of place that contains a text. */
export type TextKind = 'comment' | 'markdown' | 'message' | 'name' | 'title'

/** A text that a person reads, with its file and line. */
export interface ReadableText {
  readonly kind: TextKind
  /** Path from the root of the repository, with `/`. */
  readonly file: string
  /** The first line is 1. */
  readonly line: number
  readonly text: string
  /** The kind of declaration of a name, if it is a variable or a type. */
  readonly declares?: 'variable' | 'type'
}

/**
 * Returns the code of a source without comments, and what a person reads in it: names, messages, test titles and
 * comments.
 *
 * @param source a source whose nodes know their parents.
 */
export function divideSource(source: ts.SourceFile): {
  readonly code: string
  readonly texts: readonly ReadableText[]
} {
  const { fileName: file } = source
  const tokens: string[] = []
  const comments: ReadableText[] = []
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1
  scanTokens(source, (kind, start, end) => {
    const text = source.text.slice(start, end)
    if (kind > ts.SyntaxKind.LastTriviaToken) tokens.push(text)
    else if (kind === ts.SyntaxKind.SingleLineCommentTrivia || kind === ts.SyntaxKind.MultiLineCommentTrivia)
      comments.push({ kind: 'comment', file, line: lineAt(start), text: commentText(text) })
  })
  const fileName = path.basename(file).replace(/\.tsx?$/, '')
  const nameOfFile = { kind: 'name', file, line: 1, text: wordsOfName(fileName.replaceAll('-', ' ')) } as const
  return { code: tokens.join(' '), texts: [...namesAndMessages(source, lineAt), nameOfFile, ...comments] }
}

function namesAndMessages(source: ts.SourceFile, lineAt: (position: number) => number): ReadableText[] {
  const { fileName: file } = source
  const texts: ReadableText[] = []
  const add = (kind: TextKind, node: ts.Node, text: string, declares?: 'variable' | 'type') =>
    texts.push({ kind, file, line: lineAt(node.getStart(source)), text, ...(declares ? { declares } : {}) })
  const visit = (node: ts.Node): void => {
    if (isDeclaredName(node)) add('name', node, wordsOfName(node.text.replace('#', '')), declarationOf(node.parent))
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      const kind = isTestTitle(node) ? 'title' : 'message'
      if (kind === 'title' || / /.test(node.text.trim())) add(kind, node, node.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return texts
}

/** `//` lines and blocks without the signs of a comment. */
function commentText(raw: string): string {
  return raw
    .replace(/^\/\*\*?|\*\/$/g, '')
    .split('\n')
    .map((line) => line.trim().replace(/^(\/\/|\*)\s?/, ''))
    .join(' ')
    .trim()
}

function isDeclaredName(node: ts.Node): node is ts.Identifier | ts.PrivateIdentifier {
  if (!ts.isIdentifier(node) && !ts.isPrivateIdentifier(node)) return false
  const { parent } = node
  const declares =
    ts.isVariableDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isFunctionDeclaration(parent) ||
    ts.isFunctionExpression(parent) ||
    ts.isClassDeclaration(parent) ||
    ts.isInterfaceDeclaration(parent) ||
    ts.isTypeAliasDeclaration(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isMethodSignature(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isNamedTupleMember(parent) ||
    ts.isTypeParameterDeclaration(parent) ||
    ts.isBindingElement(parent)
  return declares && parent.name === node
}

function declarationOf(node: ts.Node): 'variable' | 'type' | undefined {
  if (ts.isVariableDeclaration(node)) return 'variable'
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) ? 'type' : undefined
}

/** Divides a name in camel case into lower-case words. */
export function wordsOfName(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2').toLowerCase()
}

/**
 * Returns true if a node is a test title, or the name of a group of conformance cases, which is part of their titles.
 */
function isTestTitle(node: ts.Node): boolean {
  const { parent } = node
  if (parent && ts.isPropertyAssignment(parent) && parent.name.getText() === 'group') return true
  if (!parent || !ts.isCallExpression(parent) || parent.arguments[0] !== node) return false
  return /^(it|test|describe)\b/.test(parent.expression.getText())
}
