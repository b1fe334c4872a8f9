import {
  type Cursor,
  expected,
  isAtEnd,
  match,
  maxFilterDepth,
  type ParsedFilter,
  parseWhole,
  quote,
  skipSpace,
  takeCharacter,
  takeQuoted,
} from './cursor.ts'

/** A filter of terms that must all match, as lists of flags and of views use it. */
export type TermFilter = readonly FilterTerm[]

/** One term, e.g. `tags:web+mobile`. */
export interface FilterTerm {
  readonly field: string
  /** Column of the field, from 1. */
  readonly column: number
  readonly value: TermValue
}

export type TermValue =
  | { readonly kind: 'texts'; readonly texts: readonly TermText[] }
  | { readonly kind: 'object'; readonly column: number; readonly properties: Readonly<Record<string, unknown>> }

export interface TermText {
  readonly text: string
  readonly column: number
}

/**
 * Parses a term filter (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d19-links-to-a-view):
 *
 * ```
 * filter = term { "," term }
 * term   = field ":" ( object | text { ( "+" | " " ) text } )
 * field  = letter { letter | digit | "." | "_" }
 * text   = '"' any characters, with \" and \\ '"'  |  characters without "," "+" " " and '"'
 * object = a JSON object
 * ```
 *
 * In a query string, an unescaped `+` means a space, so both `+` and a space separate texts. The caller validates the
 * fields.
 *
 * @param text at most 2,000 characters.
 * @returns the terms in their order, or the first syntax error with its column.
 */
export function parseTermFilter(text: string): ParsedFilter<TermFilter> {
  return parseWhole(text, readTerms)
}

/** Prints a filter. Parsing the printed text returns the same terms, but their columns can differ. */
export function printTermFilter(filter: readonly PrintableTerm[]): string {
  return filter.map(({ field, value }) => `${field}:${printValue(value)}`).join(',')
}

/** A term without columns. */
export interface PrintableTerm {
  readonly field: string
  readonly value:
    | { readonly kind: 'texts'; readonly texts: readonly { readonly text: string }[] }
    | { readonly kind: 'object'; readonly properties: Readonly<Record<string, unknown>> }
}

function printValue(value: PrintableTerm['value']): string {
  if (value.kind === 'object') return JSON.stringify(value.properties)
  return value.texts.map(({ text }) => (/^[^,+ "{][^,+ "]*$/.test(text) ? text : quote(text))).join('+')
}

function readTerms(cursor: Cursor): TermFilter | undefined {
  const terms: FilterTerm[] = []
  do {
    skipSpace(cursor)
    const term = readTerm(cursor)
    if (!term) return undefined
    terms.push(term)
  } while (takeCharacter(cursor, ','))
  return isAtEnd(cursor) ? terms : expected(cursor, '"," or the end')
}

function readTerm(cursor: Cursor): FilterTerm | undefined {
  const column = cursor.position + 1
  const field = match(cursor, /[A-Za-z][A-Za-z0-9._]*/y)?.[0]
  if (field === undefined) return expected(cursor, 'the name of a field')
  if (!takeCharacter(cursor, ':')) return expected(cursor, '":"')
  const value = cursor.text[cursor.position] === '{' ? readObject(cursor) : readTexts(cursor)
  return value && { field, column, value }
}

function readTexts(cursor: Cursor): TermValue | undefined {
  const texts: TermText[] = []
  do {
    const column = cursor.position + 1
    const text = takeQuoted(cursor) ?? match(cursor, /[^,+ "{][^,+ "]*/y)?.[0]
    if (text === undefined) return expected(cursor, 'a value')
    texts.push({ text, column })
  } while (takeSeparator(cursor))
  return { kind: 'texts', texts }
}

/** Reads a separator between two texts; spaces before a comma and at the end do not separate. */
function takeSeparator(cursor: Cursor): boolean {
  const start = cursor.position
  skipSpace(cursor)
  if (takeCharacter(cursor, '+')) return true
  return cursor.position > start && !isAtEnd(cursor) && cursor.text[cursor.position] !== ','
}

function readObject(cursor: Cursor): TermValue | undefined {
  const start = cursor.position
  const end = endOfObject(cursor)
  if (end === undefined) return undefined
  try {
    const properties = JSON.parse(cursor.text.slice(start, end))
    cursor.position = end
    skipSpace(cursor)
    return { kind: 'object', column: start + 1, properties }
  } catch {
    return expected(cursor, 'a JSON object')
  }
}

/** Returns the end of the object that begins here, by counting brackets; `JSON.parse` validates the content. */
function endOfObject(cursor: Cursor): number | undefined {
  const part = /"(?:[^"\\]|\\.)*"|[{}[\]]/g
  part.lastIndex = cursor.position
  let depth = 0
  for (let match = part.exec(cursor.text); match; match = part.exec(cursor.text)) {
    const [token] = match
    if (token === '{' || token === '[') depth++
    if (token === '}' || token === ']') depth--
    if (depth > maxFilterDepth) return expected(cursor, `nested at most ${maxFilterDepth} levels deep`, match.index)
    if (depth === 0) return part.lastIndex
  }
  return expected(cursor, 'a JSON object')
}
