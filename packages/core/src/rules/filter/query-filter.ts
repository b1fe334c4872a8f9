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

/** A filter of comparisons joined by `and`, `or` and parentheses, as lists of segments and of contexts use it. */
export type QueryFilter =
  | Comparison
  | { readonly kind: 'and'; readonly all: readonly QueryFilter[] }
  | { readonly kind: 'or'; readonly any: readonly QueryFilter[] }

/** One comparison, e.g. `tags anyOf ["web", "mobile"]`. */
export interface Comparison {
  readonly kind: 'comparison'
  readonly field: string
  readonly operator: QueryOperator
  /** One or more values for `anyOf` and `contains`; exactly one for the other operators. */
  readonly values: readonly string[]
  /** Columns of field, operator and first value, from 1. */
  readonly columns: { readonly field: number; readonly operator: number; readonly value: number }
}

export const queryOperators = ['equals', 'notEquals', 'anyOf', 'contains', 'startsWith', 'exists'] as const

export type QueryOperator = (typeof queryOperators)[number]

/**
 * Parses a query filter (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d19-links-to-a-view):
 *
 * ```
 * or         = and { "|" and }
 * and        = operand { "," operand }
 * operand    = "(" or ")" | comparison
 * comparison = field ( "equals" | "notEquals" | "startsWith" | "exists" ) text  |  field "contains" ( text | list )
 *            | field "anyOf" list
 * list       = "[" text { "," text } "]"
 * field      = letters { letters | digits | "." | "_" | "-" }
 * text       = '"' any characters, with \" and \\ '"'  |  letters, digits, ".", "_" and "-"
 * ```
 *
 * Spaces are allowed between all of these. The caller validates the fields and their values.
 *
 * @param text at most 2,000 characters, nested at most 20 levels deep.
 * @returns the filter, or the first syntax error with its column.
 */
export function parseQueryFilter(text: string): ParsedFilter<QueryFilter> {
  return parseWhole(text, (cursor) => {
    const filter = readOr(cursor, 0)
    if (filter && !isAtEnd(cursor)) return expected(cursor, '",", "|" or the end')
    return filter
  })
}

/** Prints a filter so that parsing returns the same filter; only the columns are those of the printed text. */
export function printQueryFilter(filter: QueryFilter): string {
  switch (filter.kind) {
    case 'and':
      return filter.all.map(printOperand).join(',')
    case 'or':
      return filter.any.map(printOperand).join('|')
    case 'comparison': {
      const texts = filter.values.map((value) => (/^[A-Za-z0-9._-]+$/.test(value) ? value : quote(value)))
      const value = takesList(filter.operator) ? `[${texts.join(',')}]` : texts.join()
      return `${filter.field} ${filter.operator} ${value}`
    }
  }
}

function printOperand(filter: QueryFilter): string {
  return filter.kind === 'comparison' ? printQueryFilter(filter) : `(${printQueryFilter(filter)})`
}

type ReadOperand = (cursor: Cursor, depth: number) => QueryFilter | undefined

/** Operands that a separator joins, and the function that reads one. */
interface JoinedOperands {
  readonly separator: string
  readonly read: ReadOperand
}

function readJoined(cursor: Cursor, depth: number, { separator, read }: JoinedOperands): QueryFilter[] | undefined {
  const operands: QueryFilter[] = []
  do {
    const operand = read(cursor, depth)
    if (!operand) return undefined
    operands.push(operand)
  } while (takeCharacter(cursor, separator))
  return operands
}

function readOr(cursor: Cursor, depth: number): QueryFilter | undefined {
  const any = readJoined(cursor, depth, { separator: '|', read: readAnd })
  return any && any.length > 1 ? { kind: 'or', any } : any?.[0]
}

function readAnd(cursor: Cursor, depth: number): QueryFilter | undefined {
  const all = readJoined(cursor, depth, { separator: ',', read: readOperand })
  return all && all.length > 1 ? { kind: 'and', all } : all?.[0]
}

function readOperand(cursor: Cursor, depth: number): QueryFilter | undefined {
  skipSpace(cursor)
  const start = cursor.position
  if (!takeCharacter(cursor, '(')) return readComparison(cursor)
  if (depth === maxFilterDepth) return expected(cursor, `nested at most ${maxFilterDepth} levels deep`, start)
  const nested = readOr(cursor, depth + 1)
  return nested && (takeCharacter(cursor, ')') ? nested : expected(cursor, '",", "|" or ")"'))
}

function readComparison(cursor: Cursor): Comparison | undefined {
  const start = cursor.position
  const field = readWord(cursor)
  if (field === undefined) return expected(cursor, 'the name of a field or "("')
  const operatorStart = cursor.position
  const word = readWord(cursor)
  const operator = queryOperators.find((operator) => operator === word)
  if (operator === undefined) return expected(cursor, `one of ${queryOperators.join(', ')}`, operatorStart)
  const valueStart = cursor.position
  const isList = operator === 'anyOf' || (takesList(operator) && cursor.text[cursor.position] === '[')
  const values = isList ? readList(cursor) : readValue(cursor)
  const columns = { field: start + 1, operator: operatorStart + 1, value: valueStart + 1 }
  return values && { kind: 'comparison', field, operator, values, columns }
}

function takesList(operator: QueryOperator): boolean {
  return operator === 'anyOf' || operator === 'contains'
}

function readWord(cursor: Cursor): string | undefined {
  const word = match(cursor, /[A-Za-z][A-Za-z0-9._-]*/y)?.[0]
  skipSpace(cursor)
  return word
}

function readList(cursor: Cursor): string[] | undefined {
  if (!takeCharacter(cursor, '[')) return expected(cursor, '"["')
  const values: string[] = []
  do {
    const value = readValue(cursor)
    if (!value) return undefined
    values.push(...value)
  } while (takeCharacter(cursor, ','))
  return takeCharacter(cursor, ']') ? values : expected(cursor, '"," or "]"')
}

function readValue(cursor: Cursor): [string] | undefined {
  const text = takeQuoted(cursor) ?? match(cursor, /[A-Za-z0-9._-]+/y)?.[0]
  if (text === undefined) return expected(cursor, 'a text, quoted or of letters, digits, ".", "_", "-"')
  skipSpace(cursor)
  return [text]
}
