import ts from 'typescript'

/** A part of a source that a scanner alone cannot divide: the parser knows where it ends. */
interface Literal {
  readonly start: number
  readonly end: number
}

/** Called for a token or a comment with the positions of its text. */
export type OnToken = (kind: ts.SyntaxKind, start: number, end: number) => void

/**
 * Scans a source outside of its strings, templates, regular expressions, and texts of JSX. The parser's tree has the
 * same tokens as nodes, but creating these takes as long as parsing.
 *
 * @param source a source whose nodes know their parents.
 * @param onToken called for each token and each comment, in order.
 */
export function scanTokens(source: ts.SourceFile, onToken: OnToken): void {
  const { literals, operatorEnds } = literalsOf(source)
  const variant = source.fileName.endsWith('x') ? ts.LanguageVariant.JSX : ts.LanguageVariant.Standard
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, variant, source.text)
  let from = 0
  for (const { start, end } of [...literals, { start: source.text.length, end: source.text.length }]) {
    scanner.setText(source.text, from, start - from)
    let kind = scanner.scan()
    while (kind !== ts.SyntaxKind.EndOfFileToken) {
      const tokenStart = scanner.getTokenStart()
      // The scanner divides `>=` and `>>`, because `>` also ends type arguments.
      const operatorEnd = operatorEnds.get(tokenStart)
      onToken(kind, tokenStart, operatorEnd ?? scanner.getTokenEnd())
      if (operatorEnd !== undefined) scanner.resetTokenState(operatorEnd)
      kind = scanner.scan()
    }
    from = end
  }
}

function literalsOf(source: ts.SourceFile) {
  const literals: Literal[] = []
  const operatorEnds = new Map<number, number>()
  const visit = (node: ts.Node): void => {
    if (isLiteral(node)) literals.push({ start: node.getStart(source), end: node.getEnd() })
    else if (source.text[node.end - 1] === '>' || source.text[node.end - 1] === '=') addOperator(node)
    ts.forEachChild(node, visit)
  }
  const addOperator = (node: ts.Node) => {
    if (!ts.isBinaryOperatorToken(node)) return
    const start = node.getStart(source)
    if (source.text[start] === '>') operatorEnds.set(start, node.getEnd())
  }
  visit(source)
  return { literals: literals.sort((a, b) => a.start - b.start), operatorEnds }
}

function isLiteral(node: ts.Node): boolean {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node) ||
    ts.isRegularExpressionLiteral(node) ||
    ts.isJsxText(node)
  )
}
