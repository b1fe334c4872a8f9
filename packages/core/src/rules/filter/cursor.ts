/** Position and reason of a syntax error in a filter. */
export interface FilterError {
  /** Column from 1, in UTF-16 units. */
  readonly column: number
  /** Description of the expected text, e.g. `"," or the end`. */
  readonly expected: string
}

/** A parsed filter, or its first syntax error. */
export type ParsedFilter<Filter> =
  | { readonly ok: true; readonly filter: Filter }
  | { readonly ok: false; readonly error: FilterError }

/** Progress of parsing. Parsing ends at the first error: every read function then returns `undefined`. */
export interface Cursor {
  readonly text: string
  position: number
  error: FilterError | undefined
}

/** Maximum number of characters in a filter, so that no filter is expensive. */
const maxFilterLength = 2_000

/** Maximum nesting depth of a filter, or of a value in it. */
export const maxFilterDepth = 20

/** Formats a syntax error, e.g. `column 7: must be equals`. */
export function describeFilterError({ column, expected }: FilterError): string {
  return `column ${column}: must be ${expected}`
}

// Databases cannot store NUL, and a lone surrogate has no UTF-8 encoding. Names do not contain other control
// characters.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects them
const unprintable = /[\u0000-\u001f]|\p{Cs}/u

/** Parses a whole text with a function that reads the topmost element. */
export function parseWhole<Filter>(
  text: string,
  readFilter: (cursor: Cursor) => Filter | undefined,
): ParsedFilter<Filter> {
  const cursor: Cursor = { text, position: 0, error: undefined }
  const unprintableIndex = text.search(unprintable)
  if (text.length > maxFilterLength) {
    expected(cursor, `the end: a filter has at most ${maxFilterLength} characters`, maxFilterLength)
  } else if (unprintableIndex >= 0) expected(cursor, 'a printable character', unprintableIndex)
  const filter = cursor.error ? undefined : readFilter(cursor)
  return filter === undefined || cursor.error
    ? { ok: false, error: cursor.error ?? { column: cursor.position + 1, expected: 'a filter' } }
    : { ok: true, filter }
}

/** Records an error at a position, unless there already is one; always returns undefined. */
export function expected(cursor: Cursor, description: string, index = cursor.position): undefined {
  cursor.error ??= { column: index + 1, expected: description }
}

export function skipSpace(cursor: Cursor): void {
  while (cursor.text[cursor.position] === ' ') cursor.position++
}

export function isAtEnd({ text, position }: Cursor): boolean {
  return position >= text.length
}

/**
 * Reads the given character and the spaces after it; returns false and reads nothing if another character comes next.
 */
export function takeCharacter(cursor: Cursor, character: string): boolean {
  if (cursor.text[cursor.position] !== character) return false
  cursor.position++
  skipSpace(cursor)
  return true
}

/** Reads the next match of a sticky pattern; returns undefined and reads nothing if it does not match. */
export function match(cursor: Cursor, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = cursor.position
  const matched = pattern.exec(cursor.text)
  if (!matched) return undefined
  cursor.position = pattern.lastIndex
  return matched
}

const quoted = /"((?:[^"\\]|\\["\\])*)"/y

/** Reads a quoted text, in which `\"` is read as `"`, and `\\` as `\`; returns undefined if no quoted text follows. */
export function takeQuoted(cursor: Cursor): string | undefined {
  return match(cursor, quoted)?.[1]?.replace(/\\(["\\])/g, '$1')
}

/** Quotes a text: the inverse of `takeQuoted`. */
export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
