import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { root } from '../root.ts'
import type { TextKind } from './retired-words.ts'

/** A text that a person reads, and where it is. */
export interface ReadableText {
  readonly kind: TextKind
  /** Path from the root of the repository, with `/`. */
  readonly file: string
  /** The first line is 1. */
  readonly line: number
  readonly text: string
}

/** Returns every name, comment, message, test title and paragraph that this repository contains. */
export function readableTexts(): ReadableText[] {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
    .toString()
    .split('\n')
    .filter((file) => existsSync(path.join(root, file)))
  return files.flatMap((file) => {
    if (/\.m?tsx?$/.test(file)) return textsOfSource(file)
    // The generated pages repeat texts of the sources.
    if (file.endsWith('.md') && !file.startsWith('docs/reference/')) return textsOfMarkdown(file)
    return []
  })
}

function textsOfSource(file: string): ReadableText[] {
  const text = readFileSync(path.join(root, file), 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1
  const texts: ReadableText[] = []
  const comments = new Map<number, ReadableText>()
  const addComments = (ranges: readonly ts.CommentRange[] | undefined) => {
    for (const { pos, end } of ranges ?? []) {
      comments.set(pos, { kind: 'comment', file, line: lineAt(pos), text: commentText(text.slice(pos, end)) })
    }
  }
  const visit = (node: ts.Node): void => {
    addComments(ts.getLeadingCommentRanges(text, node.getFullStart()))
    addComments(ts.getTrailingCommentRanges(text, node.getEnd()))
    const line = lineAt(node.getStart(source))
    if (isDeclaredName(node)) texts.push({ kind: 'name', file, line, text: wordsOfName(node.text.replace('#', '')) })
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      const kind = isTestTitle(node) ? 'title' : 'message'
      if (kind === 'title' || / /.test(node.text.trim())) texts.push({ kind, file, line, text: node.text })
    }
    for (const child of node.getChildren(source)) if (!ts.isJSDoc(child)) visit(child)
  }
  visit(source)
  texts.push({
    kind: 'name',
    file,
    line: 1,
    text: wordsOfName(
      path
        .basename(file)
        .replace(/\.tsx?$/, '')
        .replaceAll('-', ' '),
    ),
  })
  return [...texts, ...comments.values()]
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

/** Divides a name in camel case into lower-case words. */
export function wordsOfName(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2').toLowerCase()
}

/** The names of groups of conformance cases are part of test titles. */
function isTestTitle(node: ts.Node): boolean {
  const { parent } = node
  if (parent && ts.isPropertyAssignment(parent) && parent.name.getText() === 'group') return true
  if (!parent || !ts.isCallExpression(parent) || parent.arguments[0] !== node) return false
  return /^(it|test|describe)\b/.test(parent.expression.getText())
}

function textsOfMarkdown(file: string): ReadableText[] {
  let inFence = false
  return readFileSync(path.join(root, file), 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (/^\s*(```|~~~)/.test(line)) inFence = !inFence
      const text = line.replace(/`[^`]*`|\]\([^)]*\)/g, '')
      return inFence || text.trim() === '' ? [] : [{ kind: 'markdown' as const, file, line: index + 1, text }]
    })
}
