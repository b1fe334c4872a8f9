/**
 * Returns a documentation comment, indented by two spaces. Texts of users are kept as written, but escaped so that they
 * neither end the comment nor begin a tag.
 *
 * @param paragraphs texts of one or more lines; empty ones are omitted.
 * @param tags the tags, each with its `@`.
 * @returns an empty text when there is nothing to document.
 */
export function docComment(paragraphs: readonly string[], tags: readonly string[]): string {
  const texts = paragraphs.filter((text) => text.trim() !== '').map((text) => text.split(/\r\n|[\n\r\u2028\u2029]/))
  const blocks = [...texts.map((lines) => lines.map(escapeLine)), ...(tags.length > 0 ? [tags] : [])]
  if (blocks.length === 0) return ''
  const lines = blocks.flatMap((block, index) => (index === 0 ? block : ['', ...block]))
  const [only] = lines
  if (lines.length === 1) return `  /** ${only} */\n`
  return `  /**\n${lines.map((line) => `   *${line === '' ? '' : ` ${line}`}\n`).join('')}   */\n`
}

/** Escapes the end of a comment and each `@` that would begin a tag: at the beginning of a line or after a space. */
function escapeLine(line: string): string {
  return line
    .trimEnd()
    .replaceAll('*/', '*\\/')
    .replaceAll(/(^|\s)@/g, '$1\\@')
}
