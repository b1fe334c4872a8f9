/** Position and reason of a syntax error in a filter. */
export interface FilterFault {
  /** Column from 1, in UTF-16 units. */
  readonly column: number
  /** Description of the expected text, e.g. `"," or the end`. */
  readonly expected: string
}

/** A parsed filter, or its first syntax error. */
export type ParsedFilter<Filter> =
  | { readonly ok: true; readonly filter: Filter }
  | { readonly ok: false; readonly fault: FilterFault }

/** Progress of parsing. Parsing ends at the first error: every read function then returns `undefined`. */
export interface Cursor {
  readonly text: string
  at: number
  fault: FilterFault | undefined
}

/** Maximum number of characters in a filter, so that no filter is expensive. */
const longestFilter = 2_000

/** Maximum nesting depth of a filter, or of a value in it. */
export const deepestFilter = 20

/** Formats a syntax error, e.g. `column 7: must be equals`. */
export function describeFault({ column, expected }: FilterFault): string {
  return `column ${column}: must be ${expected}`
}

// Databases cannot store NUL, and a lone surrogate has no UTF-8 encoding; other control characters occur in no name.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects them
const unprintable = /[\u0000-\u001f]|\p{Cs}/u

/** Parses a whole text with a function that reads the topmost element. */
export function parseWhole<Filter>(text: string, read: (cursor: Cursor) => Filter | undefined): ParsedFilter<Filter> {
  const cursor: Cursor = { text, at: 0, fault: undefined }
  const strange = text.search(unprintable)
  if (text.length > longestFilter) {
    expected(cursor, `the end: a filter has at most ${longestFilter} characters`, longestFilter)
  } else if (strange >= 0) expected(cursor, 'a printable character', strange)
  const filter = cursor.fault ? undefined : read(cursor)
  return filter === undefined || cursor.fault
    ? { ok: false, fault: cursor.fault ?? { column: cursor.at + 1, expected: 'a filter' } }
    : { ok: true, filter }
}

/** Records an error at a position, unless there already is one; always returns undefined. */
export function expected(cursor: Cursor, what: string, at = cursor.at): undefined {
  cursor.fault ??= { column: at + 1, expected: what }
}

export function skipSpace(cursor: Cursor): void {
  while (cursor.text[cursor.at] === ' ') cursor.at++
}

export function isAtEnd({ text, at }: Cursor): boolean {
  return at >= text.length
}

/** Reads a character and the spaces after it if it comes next; returns false otherwise. */
export function take(cursor: Cursor, character: string): boolean {
  if (cursor.text[cursor.at] !== character) return false
  cursor.at++
  skipSpace(cursor)
  return true
}

/** Reads the next match of a sticky pattern; returns undefined and reads nothing if it does not match. */
export function match(cursor: Cursor, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = cursor.at
  const found = pattern.exec(cursor.text)
  if (!found) return undefined
  cursor.at = pattern.lastIndex
  return found
}

const quoted = /"((?:[^"\\]|\\["\\])*)"/y

/** Reads a quoted text, in which `\"` and `\\` stand for `"` and `\`; returns undefined if there is none. */
export function takeQuoted(cursor: Cursor): string | undefined {
  return match(cursor, quoted)?.[1]?.replace(/\\(["\\])/g, '$1')
}

/** Quotes a text: the inverse of `takeQuoted`. */
export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
