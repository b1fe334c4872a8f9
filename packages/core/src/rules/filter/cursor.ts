/** Where a filter is not what it must be. */
export interface FilterFault {
  /** Counted from 1, in UTF-16 units. */
  readonly column: number
  /** What must stand there, e.g. `"," or the end`. */
  readonly expected: string
}

/** What a filter says, or where it is wrong. */
export type ParsedFilter<Filter> =
  | { readonly ok: true; readonly filter: Filter }
  | { readonly ok: false; readonly fault: FilterFault }

/** How far a text has been read. The first fault ends the reading: every reader hands `undefined` on. */
export interface Cursor {
  readonly text: string
  at: number
  fault: FilterFault | undefined
}

/** Most characters of a filter: a page of text, and too few to make a long question of. */
const longestFilter = 2_000

/** How deep a filter, or a value in it, may be nested. */
export const deepestFilter = 20

/** A fault in words, e.g. `column 7: must be equals`. */
export function describeFault({ column, expected }: FilterFault): string {
  return `column ${column}: must be ${expected}`
}

// Databases cannot store NUL, and a lone surrogate has no UTF-8; other control characters stand in no name.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const unprintable = /[\u0000-\u001f]|\p{Cs}/u

/** Reads a whole text by the reader of its topmost part, from the first character to the last. */
export function parseWhole<Filter>(text: string, read: (cursor: Cursor) => Filter | undefined): ParsedFilter<Filter> {
  const cursor: Cursor = { text, at: 0, fault: undefined }
  const strange = text.search(unprintable)
  if (text.length > longestFilter) {
    expected(cursor, `the end: a filter has at most ${longestFilter} characters`, longestFilter)
  } else if (strange >= 0) expected(cursor, 'a character that can be shown', strange)
  const filter = cursor.fault ? undefined : read(cursor)
  return filter === undefined || cursor.fault
    ? { ok: false, fault: cursor.fault ?? { column: cursor.at + 1, expected: 'a filter' } }
    : { ok: true, filter }
}

/** Notes what should stand where the reading is, unless something was wrong before. */
export function expected(cursor: Cursor, what: string, at = cursor.at): undefined {
  cursor.fault ??= { column: at + 1, expected: what }
}

export function skipSpace(cursor: Cursor): void {
  while (cursor.text[cursor.at] === ' ') cursor.at++
}

export function isAtEnd({ text, at }: Cursor): boolean {
  return at >= text.length
}

/** Whether the character comes next; if so it is read, with the spaces after it. */
export function take(cursor: Cursor, character: string): boolean {
  if (cursor.text[cursor.at] !== character) return false
  cursor.at++
  skipSpace(cursor)
  return true
}

/** What a sticky pattern matches next, read; undefined, and nothing read, where it does not match. */
export function match(cursor: Cursor, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = cursor.at
  const found = pattern.exec(cursor.text)
  if (!found) return undefined
  cursor.at = pattern.lastIndex
  return found
}

const quoted = /"((?:[^"\\]|\\["\\])*)"/y

/** A text in quotes, in which `\"` and `\\` stand for `"` and `\`; undefined where there is none. */
export function takeQuoted(cursor: Cursor): string | undefined {
  return match(cursor, quoted)?.[1]?.replace(/\\(["\\])/g, '$1')
}

/** The opposite of `takeQuoted`. */
export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
